/** A file through the whole service: sent, checked, imported by the worker, its errors fetched. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../support/clients/plain-client.ts'
import { toolCaller } from '../support/clients/tool-caller.ts'
import { collectGarbage } from '../support/processes/collect-garbage.ts'
import { type Service, startService } from '../support/processes/service.ts'
import { eventually } from '../support/time/eventually.ts'

let service: Service
let token: string

before(async () => {
  service = await startService()
  const scope = 'meta:read audience:read audience:write'
  token = (await connect(service.url, { scope })).tokens.access_token
})
after(() => service.close())

type Body = Record<string, unknown>

async function ask(method: string, path: string, body?: object): Promise<Body> {
  const answer = await fetch(`${service.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${await answer.clone().text()}`)
  return (await answer.json()) as Body
}

async function importInState(id: string, state: string): Promise<Body> {
  const seen = await eventually(
    () => ask('GET', `/v1/imports/${id}`),
    (answer) => answer['state'] === state,
  )
  assert.equal(seen['state'], state)
  return seen
}

/** Calls a tool, as an assistant with the pasted text of a list does. */
const asTool = () => toolCaller(service.endpoint, async () => token)

test('pasted CSV is checked, mapped, started and undone by tools alone', async () => {
  const tools = asTool()
  const csv = 'Correo;Nombre;Ciudad\r\npasted@example.com;Ana;Graz\r\nnothing;Bea;Linz\r\n'
  const made = await tools.get<Body>('import.create', { csv })
  assert.equal(made['upload_url'], undefined)
  const import_id = String(made['import_id'])
  const dry = await importInState(import_id, 'ready')
  assert.equal((dry['found'] as Body)['rows'], 2)
  const found = async () => {
    const { contacts } = await tools.get<{ contacts: { contact_id: string }[] }>('contact.list', {
      email: 'pasted@example.com',
    })
    return contacts
  }
  assert.deepEqual(await found(), [], 'nothing is saved before')
  const mapping = { Correo: 'email', Nombre: 'name', Ciudad: 'attributes.town' }
  await tools.get('import.confirm', { import_id, mapping, dry_run: true })
  await importInState(import_id, 'ready')
  await tools.get('import.confirm', { import_id, mapping, tags: ['pasted'] })
  const done = await importInState(import_id, 'done')
  const { created, refused } = done['result'] as Body
  assert.deepEqual([created, refused], [1, 1])
  const [contact] = await found()
  const whole = await tools.get<{ untrusted: Body; tags: string[] }>('contact.get', {
    contact_id: contact?.contact_id,
  })
  assert.deepEqual([whole.untrusted['name'], whole.tags], ['Ana', ['pasted']])
  assert.deepEqual(whole.untrusted['attributes'], { town: 'Graz' })
  await tools.get('import.undo', { import_id })
  await importInState(import_id, 'undone')
  assert.deepEqual(await found(), [])
})

test('csv takes 1 MB and not a byte more, and needs no name', async () => {
  const tools = asTool()
  const head = 'email\nedge@example.com\n'
  const fitting = head.padEnd(1024 ** 2, '\n')
  const { import_id } = await tools.get<{ import_id: string }>('import.create', { csv: fitting })
  await importInState(import_id, 'ready')
  const longer = await tools.call('import.create', { csv: `${fitting}\n` })
  assert.deepEqual([longer.kind, longer.body['field']], ['refusal', 'csv'])
  const wide = await tools.call('import.create', { csv: head.padEnd(1024 ** 2 - 1, 'é') })
  assert.deepEqual([wide.body['code'], wide.body['field']], ['too_large', 'csv'])
  assert.match(String(wide.body['message']), /takes 1 MiB.*upload_url/)
  const bare = await tools.call('import.create', {})
  assert.deepEqual([bare.body['code'], bare.body['field']], ['invalid_request', 'file_name'])
  const both = await send(`${service.url}/v1/imports?file_name=a.csv&csv=email`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
    body: head,
  })
  assert.equal(both.status, 400)
})

const send = (url: string, init: RequestInit) => fetch(url, { duplex: 'half', ...init } as never)

test('a file can be uploaded once to the URL from import.create, and a guessed URL gets 404', async () => {
  const made = await ask('POST', '/v1/imports', { file_name: 'people.csv' })
  const url = String(made['upload_url'])
  const wrong = await send(`${url.slice(0, -4)}AAAA`, { method: 'PUT', body: 'email\na@b.co\n' })
  assert.equal(wrong.status, 404)
  const put = await send(url, { method: 'PUT', body: 'email,name\nana@example.com,Ana\nbad,Bad\n' })
  assert.equal(put.status, 201)
  const again = await send(url, { method: 'PUT', body: 'email\nother@example.com\n' })
  assert.equal(again.status, 410)
  const id = String(made['import_id'])
  const checked = await importInState(id, 'ready')
  assert.equal((checked['found'] as Body)['rows'], 2)
  await ask('POST', `/v1/imports/${id}/confirm`, { tags: ['web'] })
  const done = await importInState(id, 'done')
  assert.equal((done['result'] as Body)['created'], 1)
  const errors = await fetch(String(done['errors_url']))
  assert.equal(errors.headers.get('content-type'), 'text/csv; charset=utf-8')
  const text = await errors.text()
  assert.equal(
    text,
    'email,name,error_code,error,row\r\nbad,Bad,invalid_request,That is not an email address. It looks like ana@example.com.,2\r\n',
  )
  const changed = await fetch(`${String(done['errors_url'])}A`)
  assert.equal(changed.status, 404)

  const mended = text.replace('bad,Bad', 'ben@example.com,Ben')
  const second = await send(`${service.url}/v1/imports?file_name=errors.csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
    body: mended,
  })
  assert.equal(second.status, 201)
  const { import_id } = (await second.json()) as Body
  const ready = await importInState(String(import_id), 'ready')
  const columns = ready['columns'] as { becomes: string | null }[]
  assert.deepEqual(
    columns.map(({ becomes }) => becomes),
    ['email', 'name', null, null, null],
  )
})

test('a CSV body is accepted only by its own route, with the fields in the query', async () => {
  const csv = { authorization: `Bearer ${token}`, 'content-type': 'text/csv' }
  const other = await send(`${service.url}/v1/contacts/tag`, {
    method: 'POST',
    headers: csv,
    body: 'email\n',
  })
  assert.equal(other.status, 415)
  const nameless = await send(`${service.url}/v1/imports`, {
    method: 'POST',
    headers: csv,
    body: 'email\n',
  })
  assert.equal(nameless.status, 400)
  const stranger = await send(`${service.url}/v1/imports?file_name=a.csv`, {
    method: 'POST',
    headers: { 'content-type': 'text/csv' },
    body: 'email\n',
  })
  assert.equal(stranger.status, 401)
})

/** Megabytes of this process that are in use: what waits for its collection is collected first. */
async function megabytesInUse(): Promise<number> {
  collectGarbage()
  // The bytes of buffers are freed by another thread.
  await sleep(50)
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1e6
}

test('a file of 60 MB that arrives in pieces is processed as a stream', async () => {
  const before = await megabytesInUse()
  let most = before
  async function* pieces() {
    yield Buffer.from('email,note\n')
    for (let n = 0; n < 60; n++) {
      const row = `p${n}@example.com,${'x'.repeat(1_000)}\n`
      yield Buffer.from(row.repeat(1_000))
      if (n % 10 === 9) most = Math.max(most, await megabytesInUse())
    }
  }
  // Not by fetch, which holds all pieces that the service has not read yet.
  const request = http.request(`${service.url}/v1/imports?file_name=large.csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
  })
  const answered = once(request, 'response') as Promise<[IncomingMessage]>
  await pipeline(Readable.from(pieces()), request)
  const [answer] = await answered
  assert.equal(answer.statusCode, 201)
  const made = (await json(answer)) as Body
  assert.ok(Number(made['bytes']) > 60_000_000)
  const grown = Math.round(most - before)
  assert.ok(grown < 30, `the upload took ${grown} MB of memory in client and service`)
  const ready = await importInState(String(made['import_id']), 'ready')
  assert.equal((ready['found'] as Body)['doubled'], 59_940)
})

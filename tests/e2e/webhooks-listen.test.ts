/** `crier webhooks listen` and `crier trigger`, as a developer uses them with a real service. */
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { errorOf, Home, type RunningCrier } from '../../cli/tests/crier.ts'
import { approveAndReturn, newPerson } from '../support/clients/sign-in.ts'
import { type WebhookReceiver, webhookReceiver } from '../support/network/webhook-receiver.ts'
import { type Service, startService } from '../support/processes/service.ts'
import { until } from '../support/time/eventually.ts'

let service: Service
let home: Home
let secret = ''
let receiver: WebhookReceiver
let running: RunningCrier[] = []

before(async () => {
  service = await startService({ settings: { OUTBOUND_ALLOW: '127.0.0.0/8:*' } })
  home = await Home.make()
  home.env['CRIER_URL'] = service.url
  const login = home.start(['login', '--no-browser'])
  const [, url = ''] = await login.says(/^ {2}(http\S+)$/m)
  await approveAndReturn(url, { email: newPerson() })
  await login.ended
  secret = (await home.run(['webhooks', 'listen', '--print-secret'])).stdout.trim()
})
after(async () => {
  await home.remove()
  await service.close()
})
beforeEach(async () => {
  receiver = await webhookReceiver(() => secret)
})
afterEach(async () => {
  for (const one of running.splice(0)) await stopped(one)
  receiver.close()
})

async function listening(...args: string[]): Promise<RunningCrier> {
  const listener = home.start(['webhooks', 'listen', ...args])
  running.push(listener)
  await listener.says(/^Listening to /m)
  return listener
}

function stopped(listener: RunningCrier) {
  running = running.filter((crier) => crier !== listener)
  listener.signal('SIGINT')
  return listener.ended
}

async function json(...args: string[]) {
  const { code, stdout, stderr } = await home.run(args)
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout)
}

const save = (name: string) => json('contact', 'upsert', '--email', `${name}@example.com`)
/** The line about that event, once it is printed. */
const line = async (listener: RunningCrier, what: string) =>
  JSON.parse((await listener.says(new RegExp(`^.*${what}.*$`, 'm')))[0])
/** The files of running listeners in the state folder. */
const listenFiles = async () => {
  const folder = path.join(home.folder, 'crier', 'listen')
  return (await readdir(folder, { recursive: true })).filter((name) => name.includes('running'))
}

test('events are forwarded with a webhook’s headers and signature, one line for each', async () => {
  const listener = await listening('--forward-to', receiver.url)
  await listener.says(new RegExp(secret))
  await save('lea')
  const told = await line(listener, 'lea@example\\.com')
  const { events } = await json('meta', 'changes', '--types', 'contact.created')
  assert.deepEqual(told.event, events.at(-1))
  const [{ event, deliveryId, headers } = assert.fail()] = receiver.received
  assert.deepEqual(event, told.event)
  assert.deepEqual(
    [told.type, told.id, told.status, told.delivery_id],
    ['contact.created', event.id, 204, deliveryId],
  )
  assert.match(deliveryId, /^dlv_[0-9a-z]{26}$/)
  assert.equal(headers['x-svc-event'], 'contact.created')
  assert.equal(typeof told.ms, 'number')
  const { code, stdout, stderr } = await stopped(listener)
  assert.equal(code, 0)
  assert.match(stderr, /Stopped after 1 event\./)
  for (const printed of stdout.trim().split('\n')) JSON.parse(printed)
  assert.deepEqual(await listenFiles(), [])
})

test('without a receiver events are printed, and --events selects their types', async () => {
  const listener = await listening('--events', 'contact.updated,usage.threshold')
  await save('max')
  await json('contact', 'upsert', '--email', 'max@example.com', '--name', 'Max')
  const told = await line(listener, 'max@example\\.com')
  assert.equal(told.type, 'contact.updated')
  assert.equal('status' in told, false)
  const unknown = await home.run(['webhooks', 'listen', '--events', 'contact.eaten'])
  assert.equal(unknown.code, 6)
  assert.equal(errorOf(unknown)['field'], 'types[0]')
})

test('--resume continues where the last listener stopped, and without it only new events are shown', async () => {
  const first = await listening()
  await save('before')
  await line(first, 'before@')
  await stopped(first)
  await save('meanwhile')
  const fresh = await listening()
  await save('afterwards')
  await line(fresh, 'afterwards@')
  assert.doesNotMatch((await stopped(fresh)).stdout, /meanwhile@/)
  await save('once-more')
  const resumed = await listening('--resume')
  await line(resumed, 'once-more@')
  assert.doesNotMatch((await stopped(resumed)).stdout, /afterwards@/)
})

test('a triggered event goes through the listener with the requested changes', async () => {
  const listener = await listening('--forward-to', receiver.url)
  const args = ['trigger', 'form.submitted', '--data', 'fields.email=leo@example.com']
  const sent = await json(...args, '--json', '{"source_url":"https://a.example"}')
  const told = await line(listener, 'leo@example\\.com')
  assert.deepEqual([sent.id, sent.status, sent.delivery_id], [told.id, 204, told.delivery_id])
  const { event } = receiver.received[0] ?? assert.fail()
  if (event.type !== 'form.submitted') assert.fail(event.type)
  assert.equal(event.data.fields['email'], 'leo@example.com')
  assert.equal(event.data.source_url, 'https://a.example')
  const { businesses } = await json('business', 'list')
  assert.equal(event.business_id, businesses[0].business_id)
})

test('a delivery that the receiver refuses is reported, and --again sends the same event', async () => {
  await listening('--forward-to', receiver.url)
  receiver.status = 503
  const refused = await home.run(['trigger', 'contact.created'])
  assert.equal(refused.code, 1)
  assert.equal(errorOf(refused)['status'], 503)
  receiver.status = 200
  const again = await json('trigger', '--again')
  assert.equal(again.id, JSON.parse(refused.stdout).id)
  assert.deepEqual(
    receiver.received.map(({ event }) => event.id),
    [again.id, again.id],
  )
  assert.notEqual(receiver.received[0]?.deliveryId, receiver.received[1]?.deliveryId)
  assert.deepEqual(await json('trigger', '--again'), [])
})

test('every listener on the machine gets a triggered event, and a killed listener is cleaned up', async () => {
  const one = await listening('--forward-to', receiver.url)
  await listening('--forward-to', receiver.url)
  assert.equal((await json('trigger', 'message.sent')).length, 2)
  assert.equal(receiver.received.length, 2)
  one.signal('SIGKILL')
  await one.ended
  assert.equal((await json('trigger', 'message.sent')).status, 204)
  assert.equal((await listenFiles()).length, 1)
})

test('trigger without a listener fails with a hint, and with --forward-to it needs neither listener nor server', async () => {
  const nobody = await home.run(['trigger', 'message.sent'])
  assert.equal(nobody.code, 5)
  assert.match(String(errorOf(nobody)['hint']), /crier webhooks listen/)
  const to = receiver.url.replace('http://', '')
  assert.equal((await json('trigger', 'usage.threshold', '--forward-to', to)).status, 204)
  assert.equal(receiver.received[0]?.event.type, 'usage.threshold')
})

test('trigger --webhook sends through the service, to that webhook’s URL and with its secret', async () => {
  const theirs = await webhookReceiver(() => made.signing_secret)
  const made = await json('webhooks', 'save', '--events', 'contact.created', `url=${theirs.url}`)
  const sent = await json('trigger', 'form.submitted', '--webhook', made.webhook_id)
  await until(() => theirs.received.length > 0, 'a delivery')
  const [{ event, deliveryId } = assert.fail()] = theirs.received
  assert.deepEqual([event.type, deliveryId], ['form.submitted', sent.delivery_id])
  await json('webhook', 'delete', `webhook_id=${made.webhook_id}`)
  theirs.close()
})

test('an invalid trigger command sends nothing', async () => {
  const to = ['--forward-to', receiver.url]
  const lines = [
    ['trigger'],
    ['trigger', 'contact.eaten', ...to],
    ['trigger', 'contact.created', '--data', 'mail=x', ...to],
    ['trigger', 'contact.created', '--again'],
    ['trigger', 'contact.created', '--forward-to', 'ftp://a'],
    ['webhooks', 'listen', '--forward-to', 'ftp://a'],
  ]
  for (const words of lines) assert.equal((await home.run(words)).code, 2, words.join(' '))
  const unknown = `bus_01${'0'.repeat(24)}`
  assert.equal((await home.run(['webhooks', 'listen', '--business', unknown])).code, 5)
  assert.deepEqual(receiver.received, [])
})

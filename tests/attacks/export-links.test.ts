/**
 * Links to files of a business, which need no token: every route that reads more than a page of the
 * database takes turns, and a link is worth no more than its maker's access is at the moment.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import http from 'node:http'
import { after, before, test } from 'node:test'
import { formatId, type Id } from 'crier-server/core/ids.ts'
import { linkMaker } from 'crier-server/core/link-maker.ts'
import { createSealedLinks } from 'crier-server/core/sealed-link.ts'
import { type ExportLink, exportLinkPurpose } from 'crier-server/exports/link.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { hours, later } from 'crier-server/lib/time/clock.ts'
import { revokeConnection } from 'crier-server/oauth/connections/connections.ts'
import { type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import { newApiKey } from '../support/clients/api-keys.ts'
import { newGrant } from '../support/clients/grants.ts'
import { routesOf } from '../support/clients/routes.ts'
import { eventually } from '../support/time/eventually.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ idle: true })
})
after(() => testbed.close())

const folder = new URL('../../server/src/http/', import.meta.url)

test('no route answers with a stream of its own, so that each that reads rows takes turns', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const streaming = files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => /\bReadable\.from\(/.test(readFileSync(new URL(file, folder), 'utf8')))
  // A picture is one file of the disk or bucket, and reads no database.
  assert.deepEqual(streaming.sort(), ['rest/image-files.ts', 'rest/long-reads.ts'])
})

/** The routes that read more than a page, each with a link to a long file of the business. */
const routes: Record<string, (businessId: Id<'business'>) => Promise<string>> = {
  '/v1/exports/:token': async (businessId) => {
    await testbed.db.run(sql`
      insert into contacts (id, business_id, name, email, attributes, tags, email_consent, sms_consent,
        source, created_at, updated_at)
      select gen_random_uuid(), ${businessId}, 'Ana', n || '@example.com',
        jsonb_build_object('about', repeat('x', 10000)), '{}', 'none', 'none', 'api', now(), now()
      from generate_series(1, 3000) as n
    `)
    const grant = await newGrant(testbed.db, { businesses: [businessId] })
    return exportUrl(businessId, grant)
  },
}

/** Serves at most a file of refused rows; its turn is asserted by the code that it shares. */
const sharing = ['/v1/imports/errors/:token']

interface Maker {
  connectionId: Id<'connection'> | null
  userId: Id<'user'>
}

function exportUrl(businessId: Id<'business'>, { connectionId, userId }: Maker): string {
  const links = createSealedLinks<ExportLink>(testbed.service.vault, exportLinkPurpose)
  const principal = { connectionId, userId, scopes: new Set<never>(), businesses: [] }
  const maker = linkMaker(principal, { scope: 'audience:read', role: 'admin' })
  const link: ExportLink = {
    business_id: businessId,
    format: 'ndjson',
    thing: { of: 'contacts', filters: [] },
    file_name: 'contacts.ndjson',
    maker,
  }
  return `${testbed.service.url}/v1/exports/${links.make(link, later(new Date(), hours(1)))}`
}

interface Reader {
  status: number
  retryAfter: string | undefined
  end(): void
}

/** Opens a file and reads nothing of it. */
function open(url: string): Promise<Reader> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { agent: false }, (response) => {
      response.on('error', () => undefined)
      const status = response.statusCode ?? 0
      const retryAfter = response.headers['retry-after']
      resolve({ status, retryAfter, end: () => void request.destroy() })
    })
    request.on('error', reject)
  })
}

test('each route that reads more than a page is read twice at once by a business, and then 429', async () => {
  const served = routesOf(testbed.service.app, 'GET').filter((route) =>
    /^\/v1\/(exports|imports)\/.*:token$/.test(route),
  )
  assert.deepEqual(served.sort(), [...Object.keys(routes), ...sharing].sort())
  for (const [route, linkTo] of Object.entries(routes)) {
    const [one, other] = [await testbed.newBusiness(), await testbed.newBusiness()]
    const [own, foreign] = [await linkTo(one), await linkTo(other)]
    const readers = await Promise.all(Array.from({ length: 40 }, () => open(own)))
    const statuses = readers.map(({ status }) => status)
    assert.equal(
      statuses.filter((status) => status === 200).length,
      2,
      `${route}: ${statuses.join()}`,
    )
    assert.equal(
      statuses.filter((status) => status === 429).length,
      38,
      `${route}: ${statuses.join()}`,
    )
    for (const { status, retryAfter } of readers) {
      if (status === 429) assert.ok(Number(retryAfter) >= 1)
    }
    const neighbour = await open(foreign)
    assert.equal(neighbour.status, 200, 'another business reads on')
    assert.equal((await fetch(`${testbed.service.url}/healthz`)).status, 200)
    for (const reader of [...readers, neighbour]) reader.end()
    const again = await eventually(
      () => open(own),
      ({ status }) => status === 200,
    )
    again.end()
    assert.equal(again.status, 200, 'ended reads make room')
  }
})

test('forty readers of one link hold up no other business’s calls', async (t) => {
  const [readsFiles, lists] = [await testbed.newBusiness(), await testbed.newBusiness()]
  const url = await routes['/v1/exports/:token']?.(readsFiles)
  assert.ok(url !== undefined)
  const caller = await testbed.restCaller({ businesses: [lists] })
  const list = async (): Promise<number> => {
    const from = performance.now()
    const { status } = await caller.call('contact.list', {})
    assert.equal(status, 200)
    return performance.now() - from
  }
  await list()
  let over = false
  const statuses = new Set<number>()
  const readers = Array.from({ length: 40 }, async () => {
    while (!over) {
      const answer = await fetch(url)
      statuses.add(answer.status)
      for await (const _ of answer.body ?? []) if (over) break
      // Whoever is refused comes back at once, though told to wait.
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })
  const took: number[] = []
  for (let n = 0; n < 40; n++) took.push(await list())
  over = true
  await Promise.all(readers)
  took.sort((a, b) => a - b)
  const [usual, most] = [took[took.length / 2] ?? 0, took.at(-1) ?? 0]
  t.diagnostic(`contact.list took ${usual.toFixed(0)} ms, ${most.toFixed(0)} ms at most`)
  assert.deepEqual(statuses, new Set([200, 429]))
  // It took 5.6 seconds before readers took turns.
  assert.ok(usual < 1_000, `it took ${usual} ms`)
})

const answerTo = async (url: string) => {
  const answer = await fetch(url)
  const text = await answer.text()
  return { status: answer.status, text: text.replace(/"request_id":"[^"]*"/, '') }
}

test('a link answers as if it did not exist once its maker’s rights have ended', async () => {
  const never = await answerTo(`${testbed.service.url}/v1/exports/nonsense`)
  const businessId = await testbed.newBusiness()
  const owner = await testbed.appCaller({ businesses: [businessId] })
  const grantOf = () => newGrant(testbed.db, { businesses: [businessId], role: 'admin' })
  const keyOf = async () => {
    const { key } = await newApiKey(testbed.db, { businessId })
    return { connectionId: key.id, userId: key.userId }
  }
  const personOf = async () => ({ connectionId: null, userId: (await grantOf()).userId })
  const call = async (operation: string, input: object) => {
    const { status, body } = await owner.call(operation, { ...input })
    assert.ok(status < 300, `${operation}: ${status} ${JSON.stringify(body)}`)
  }
  const member = ({ userId }: Maker) => ({ user_id: formatId('user', userId) })
  const lower = ({ userId }: Maker) =>
    call('member.save', { email: `${userId}@example.com`, role: 'editor' })
  const remove = (maker: Maker) => call('member.remove', member(maker))
  const connection = ({ connectionId }: Maker) =>
    connectionId === null ? '' : formatId('connection', connectionId)
  const endings: [string, () => Promise<Maker>, (maker: Maker) => Promise<void>][] = [
    ['a key is deleted', keyOf, (maker) => call('key.revoke', { key_id: connection(maker) })],
    ['the membership of a connection ends', grantOf, remove],
    ['the membership of a person ends', personOf, remove],
    ['the membership of a key’s maker ends', keyOf, remove],
    ['the role of a connection is lowered', grantOf, lower],
    ['the role of a person is lowered', personOf, lower],
    [
      'a connection is revoked',
      grantOf,
      async ({ connectionId }) => {
        assert.ok(connectionId)
        const revocation = { connectionId, by: 'operator' as const, now: new Date() }
        assert.equal(await revokeConnection(testbed.db, revocation), true)
      },
    ],
  ]
  for (const [name, makerOf, end] of endings) {
    const maker = await makerOf()
    const url = exportUrl(businessId, maker)
    assert.equal((await answerTo(url)).status, 200, `before ${name}`)
    await end(maker)
    assert.deepEqual(await answerTo(url), never, name)
  }
})

test('a link of an operation holds its maker, and one from before that was recorded is over', async () => {
  const businessId = await testbed.newBusiness()
  const grant = await newGrant(testbed.db, { businesses: [businessId] })
  const rest = await testbed.restCaller({ businesses: [businessId] })
  const { body } = await rest.call('export.create', { kind: 'contacts' })
  assert.equal((await answerTo(String(body['url']))).status, 200)
  const whole = exportUrl(businessId, grant)
  const token = whole.slice(whole.lastIndexOf('/') + 1)
  const links = createSealedLinks<ExportLink>(testbed.service.vault, exportLinkPurpose)
  const { maker: _maker, ...old } = links.read(token, new Date()) as ExportLink
  const before = links.make(old, later(new Date(), hours(1)))
  assert.equal((await answerTo(`${testbed.service.url}/v1/exports/${before}`)).status, 404)
})

test('a link of any length that is made is answered, and a filter too long for one is refused', async () => {
  const businessId = await testbed.newBusiness()
  const rest = await testbed.restCaller({ businesses: [businessId] })
  const filterOf = (values: number) => ({
    field: 'email',
    op: 'in',
    value: Array.from(
      { length: values },
      (_, n) => `${createHash('sha1').update(`${n}`).digest('hex')}@example.com`,
    ),
  })
  let longest = 0
  const statuses = new Set<number>()
  for (let values = 1; values < 300; values += 20) {
    const { status, body } = await rest.call('export.create', { filter: filterOf(values) })
    statuses.add(status)
    if (status === 201) {
      const url = String(body['url'])
      longest = Math.max(longest, url.length)
      assert.equal((await answerTo(url)).status, 200, `${values} values, ${url.length} characters`)
    } else {
      assert.deepEqual([status, body['code'], body['field']], [400, 'invalid_request', 'filter'])
    }
  }
  assert.ok(longest > 4_000 && longest < 8_000, `${longest}`)
  assert.deepEqual([...statuses], [201, 400])
})

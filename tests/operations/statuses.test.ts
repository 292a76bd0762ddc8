/**
 * The statuses that the reference names for each route are those that it answers: each can be got,
 * and whatever a call gets is among them.
 */
import assert from 'node:assert/strict'
import http from 'node:http'
import { after, before, test } from 'node:test'
import { limits } from 'crier-server/config.ts'
import { formatId, newId, parseId } from 'crier-server/core/ids.ts'
import { scopes } from 'crier-server/core/operation.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { days, later } from 'crier-server/lib/time/clock.ts'
import { type Route, routesOf } from 'crier-server/operations/routes.ts'
import { refusalStatuses } from 'crier-server/reference/openapi/errors.ts'
import { type Grant, newGrant, tokenMint } from '../support/clients/grants.ts'
import { type RestCaller, requestFor } from '../support/clients/rest-caller.ts'
import { addBelongings, type Belongings } from './support/belongings.ts'
import { freshCampaign } from './support/campaigns.ts'
import { freshDelivery } from './support/deliveries.ts'
import { addImport } from './support/imports.ts'
import { lines } from './support/lines.ts'
import { catalog, type OwnTestbed, openTestbed } from './support/testbed.ts'

let testbed: OwnTestbed
let own: Belongings
let caller: RestCaller
let grant: Grant
let mint: (grant: Grant) => Promise<string>
before(async () => {
  testbed = await openTestbed({ idle: true })
  own = await addBelongings(testbed, 'alpha', { campaigns: 170 })
  caller = await testbed.restCaller({ businesses: [own.id] })
  grant = await newGrant(testbed.db, { businesses: [own.id] })
  mint = tokenMint(testbed.service)
})
after(() => testbed.close())

const routes = catalog.flatMap(routesOf)
const statusesOf = (route: Route) => refusalStatuses(route.operation, route.fieldsIn === 'body')

/** The call of the walks, with further fields. */
function requestOf(route: Route, fields: object = {}) {
  const sample: object = lines[route.operation.name]?.sample(own) ?? {}
  // Some routes do not take the id that others of their operation have in the path.
  const taken = Object.entries({ ...own, ...sample }).filter(
    ([key]) => route.inPath.includes(key) || (key in sample && route.fields.includes(key)),
  )
  return requestFor(route, { ...Object.fromEntries(taken), ...fields })
}

/** Sends one request to each route that names the status, and expects it from each. */
function eachAnswers(
  status: number,
  send: (route: Route) => Promise<{ status: number; text: string } | undefined>,
): void {
  test(`each route that names the status ${status} answers it`, async () => {
    const named = routes.filter((route) => statusesOf(route).includes(status))
    assert.ok(named.length > 0)
    const others: string[] = []
    for (const route of named) {
      const answer = await send(route)
      if (answer && answer.status !== status) {
        others.push(`${route.method} ${route.path}: ${answer.status} ${answer.text.slice(0, 200)}`)
      }
    }
    assert.deepEqual(others, [])
  })
}

eachAnswers(400, (route) => {
  const { method, path, body } = requestOf(route, { no_such_field: 'x' })
  return caller.send(method, path, body === undefined ? {} : { body })
})

eachAnswers(401, async (route) => {
  const { method, path } = requestOf(route)
  const answer = await fetch(testbed.service.config.gatewayUrl + path, { method })
  return { status: answer.status, text: await answer.text() }
})

eachAnswers(403, async (route) => {
  const { scope } = route.operation
  const other = scopes.find((entry) => entry !== scope && entry !== 'meta:read') ?? 'meta:read'
  const stranger = await strangerWith(other)
  const { method, path, body } = requestOf(route)
  return stranger.send(method, path, body === undefined ? {} : { body })
})

const strangers = new Map<string, Promise<RestCaller>>()
function strangerWith(scope: (typeof scopes)[number]): Promise<RestCaller> {
  const caller =
    strangers.get(scope) ?? testbed.restCaller({ businesses: [own.id], scopes: [scope] })
  strangers.set(scope, caller)
  return caller
}

eachAnswers(404, (route) => {
  const { method, path, body } = requestOf(route, {
    business_id: formatId('business', newId('business')),
  })
  return caller.send(method, path, body === undefined ? {} : { body })
})

/** Things to make at routes whose sample changes one. */
const newThings: Record<string, object> = {
  '/v1/sequences': {
    name: 'Another series',
    enter: { on: 'consent.given' },
    steps: [{ wait: '1 day' }, { tag: 'customer' }],
  },
  '/v1/feeds': {
    name: 'Another blog',
    url: 'https://blog.invalid/other.xml',
    every: 'week',
    content: { subject: 'News', blocks: [{ type: 'feed' }] },
  },
}

eachAnswers(409, async (route) => {
  const { name, hints } = route.operation
  // `server/src/events/changes.test.ts` has a cursor whose events are gone.
  if (name === 'meta.changes') return undefined
  if (name === 'campaign.preview') {
    const campaign_id = freshCampaign(own.business_id, 'deployed')
    const { method, path, body } = requestFor(route, { campaign_id })
    return caller.send(method, path, body === undefined ? {} : { body })
  }
  assert.ok(!hints.readOnly)
  const idempotency_key = 'used for another call'
  await caller.get('contact.upsert', { email: 'ana@example.com', idempotency_key })
  const { method, path, body } = requestOf(route, { ...newThings[route.path], idempotency_key })
  return caller.send(method, path, body === undefined ? {} : { body })
})

eachAnswers(410, async (route) => {
  const { name } = route.operation
  const { db } = testbed
  const sample: Record<string, string> = {}
  if (name === 'import.undo') {
    sample['import_id'] = await addImport(db, own.id, { word: 'old', state: 'done' })
    await db.run(sql`
      update imports set finished_at = ${later(new Date(), -days(400))}
      where business_id = ${own.id} and id = ${parseId('import', sample['import_id'])}
    `)
  } else {
    sample['delivery_id'] = freshDelivery(own.business_id)
    await db.run(sql`
      delete from events where business_id = ${own.id} and id in (
        select event_id from webhook_attempts
        where business_id = ${own.id} and id = ${parseId('delivery', sample['delivery_id'])}
      )
    `)
  }
  const { method, path, body } = requestFor(route, { ...ofPath(route), ...sample })
  return caller.send(method, path, body === undefined ? {} : { body })
})

const ofPath = ({ inPath }: Route) =>
  Object.fromEntries(Object.entries(own).filter(([key]) => inPath.includes(key)))

eachAnswers(413, async (route) => {
  const { method, path } = requestOf(route)
  const bytes = (route.operation.bodyBytes ?? limits.callBytes) + 1
  const token = await mint(grant)
  // The length alone is refused, so that nothing is sent.
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': bytes,
    }
    const request = http.request(testbed.service.config.gatewayUrl + path, { method, headers })
    request.on('response', (response) => {
      resolve({ status: response.statusCode ?? 0, text: '' })
      request.destroy()
    })
    request.on('error', reject)
    request.write('{')
  })
})

eachAnswers(415, (route) => {
  const { method, path } = requestOf(route)
  return caller.send(method, path, { body: 'x', headers: { 'content-type': 'text/x-of-nobody' } })
})

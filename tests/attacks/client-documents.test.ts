/**
 * Strangers who name client metadata documents: how many requests they cause to another's server,
 * which counts them.
 */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import tls from 'node:tls'
import { limits } from 'crier-server/config.ts'
import { minutes } from 'crier-server/lib/time/clock.ts'
import { authorizeUrl, newPkce } from '../support/clients/plain-client.ts'
import { selfSigned } from '../support/mail/certificate.ts'
import { httpsServer, type RemoteServer } from '../support/network/remote-server.ts'
import { type Service, startService } from '../support/processes/service.ts'
import { ManualClock } from '../support/time/manual-clock.ts'

const host = 'documents.example'
const callback = 'http://localhost:41870/callback'
const clock = new ManualClock()
const trusted = tls.getCACertificates('default')

/** The server that hosts the documents. */
const fetchedUrls: string[] = []
let mostAtOnce = 0
let atOnce = 0
/** The server's answers wait for this promise. */
let gate: Promise<void> | undefined
let remote: RemoteServer
let service: Service
before(async () => {
  const identity = selfSigned(host)
  tls.setDefaultCACertificates([...trusted, identity.cert])
  remote = await httpsServer(identity, (request, answer) => {
    const { url = '' } = request
    fetchedUrls.push(url)
    mostAtOnce = Math.max(mostAtOnce, ++atOnce)
    answer.once('close', () => atOnce--)
    void (gate ?? Promise.resolve()).then(() => {
      if (!url.startsWith('/good')) return answer.writeHead(404).end()
      const document = { client_id: idOf(url), client_name: 'Good', redirect_uris: [callback] }
      return answer.setHeader('content-type', 'application/json').end(JSON.stringify(document))
    })
  })
  service = await startService({
    clock,
    settings: {
      CLIENT_DOCUMENTS: 'yes',
      OUTBOUND_ALLOW: '127.0.0.1/32:*',
      TRUST_PROXY: 'yes',
    },
    resolve: async () => ['127.0.0.1'],
  })
})
after(async () => {
  tls.setDefaultCACertificates(trusted)
  await service.close()
  await remote.close()
})
beforeEach(() => {
  fetchedUrls.length = 0
  mostAtOnce = 0
  gate = undefined
})

const idOf = (path: string) => `https://${host}:${remote.port}${path}`

async function authorize(path: string, from: string) {
  const url = authorizeUrl(service.url, {
    response_type: 'code',
    client_id: idOf(path),
    redirect_uri: callback,
    code_challenge: newPkce().challenge,
    code_challenge_method: 'S256',
    scope: 'meta:read',
  })
  const headers = { accept: 'text/html', 'x-forwarded-for': from }
  const answer = await fetch(url, { headers, redirect: 'manual' })
  await answer.arrayBuffer()
  return answer
}

test('200 client documents named from one network cause no more requests than the limit', async () => {
  const statuses: number[] = []
  for (let i = 0; i < 200; i++) {
    const answer = await authorize(`/missing/${i}.json`, '203.0.113.1')
    statuses.push(answer.status)
    if (answer.status === 429) assert.ok(Number(answer.headers.get('retry-after')) > 0)
  }
  const { documentFetchesPerHour: most } = limits
  assert.deepEqual(
    statuses,
    Array.from({ length: 200 }, (_, i) => (i < most ? 400 : 429)),
  )
  assert.equal(fetchedUrls.length, most)
  // Another network can still sign in with its own client.
  assert.equal((await authorize('/good/1.json', '203.0.113.2')).status, 200)
  assert.equal((await authorize('/good/1.json', '203.0.113.1')).status, 200)
  assert.equal(fetchedUrls.length, most + 1)
})

test('a failing client document is requested once a minute, from however many networks', async () => {
  for (let i = 0; i < 200; i++) {
    const answer = await authorize('/missing/one.json', `198.51.100.${i}`)
    assert.equal(answer.status, 400)
  }
  assert.equal(fetchedUrls.length, 1)
  clock.forward(minutes(1))
  await authorize('/missing/one.json', '198.51.100.1')
  assert.equal(fetchedUrls.length, 2)
})

test('of a hundred networks at once, sixteen have their documents fetched and the others must retry', async () => {
  let open = () => {}
  gate = new Promise((resolve) => {
    open = resolve
  })
  const answers = Array.from({ length: 100 }, (_, i) => {
    return authorize(`/good/slow-${i}.json`, `192.0.2.${i}`)
  })
  // Requests without a slot are refused while the others wait for the slow server.
  const first = await Promise.race(answers)
  assert.equal(first.status, 503)
  assert.ok(Number(first.headers.get('retry-after')) > 0)
  // Shorter than the timeout of a fetch, which would free its slot.
  await new Promise((wake) => setTimeout(wake, 1_500))
  open()
  const statuses = (await Promise.all(answers)).map(({ status }) => status)
  const refused = statuses.filter((status) => status === 503).length
  assert.ok(mostAtOnce > 1 && mostAtOnce <= 16, `${mostAtOnce} at once`)
  assert.ok(refused > 0)
  assert.equal(fetchedUrls.length, 100 - refused)
})

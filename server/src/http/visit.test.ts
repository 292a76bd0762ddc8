import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testVault } from '../../../tests/support/clients/calls.ts'
import { silentLog } from '../../../tests/support/silent-log.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { createLocalLimit } from '../lib/rate-limit/local-limit.ts'
import { seconds } from '../lib/time/clock.ts'
import type { ArchivePagesDeps } from './pages/archive/request.ts'
import { registerArchives } from './pages/archive/routes.ts'
import { type MailViewParts, registerMailView } from './pages/public/mail-view.ts'
import { createServer } from './server.ts'

const german = { accept: 'text/html', 'accept-language': 'de-AT, en;q=0.5' }

test('a network that opens too many mails and archives is asked to wait, in its language; another one is not', async () => {
  const clock = new ManualClock()
  const server = createServer({ log: silentLog, bodyLimit: 1_000, trustProxy: false, https: false })
  const visitLimit = createLocalLimit({ clock, perMinute: 3 })
  // Nothing else is needed: no link is valid, and no archive is reached.
  registerMailView(server, { vault: testVault, visitLimit } as unknown as MailViewParts)
  registerArchives(server, { visitLimit } as unknown as ArchivePagesDeps)
  const visit = (url: string, remoteAddress: string) =>
    server.inject({ url, headers: german, remoteAddress })
  for (let n = 0; n < 3; n++) {
    assert.equal((await visit('/v/nothing', '192.0.2.1')).statusCode, 404)
  }
  for (const url of [
    '/v/nothing',
    '/archive/shop',
    '/archive/shop/news',
    '/archive/shop/feed.xml',
  ]) {
    const refused = await visit(url, '192.0.2.1')
    assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [429, '60'], url)
    assert.match(refused.body, /<html lang="de".*Zu viele Anfragen.*Bitte warten Sie eine Minute/s)
  }
  assert.equal((await visit('/v/nothing', '192.0.2.2')).statusCode, 404)
  clock.forward(seconds(61))
  assert.equal((await visit('/v/nothing', '192.0.2.1')).statusCode, 404)
  await server.close()
})

/** Size limits for callers that only the body itself can authenticate. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { silentLog } from '../../../tests/support/silent-log.ts'
import { limits } from '../config.ts'
import { refuse } from '../core/errors.ts'
import { systemClock } from '../lib/time/clock.ts'
import { registerProviderEvents } from './returns/provider-events.ts'
import { createServer } from './server.ts'

const server = createServer({
  log: silentLog,
  bodyLimit: limits.bodyBytes,
  trustProxy: false,
  https: false,
})
const lengths: number[] = []
registerProviderEvents(server, {
  providers: new Map([
    [
      'known',
      {
        read: async ({ body }: { body: Buffer }) => {
          lengths.push(body.length)
          throw refuse('unauthorized', 'The signature is not by this provider.')
        },
      },
    ],
  ]) as never,
  reports: {} as never,
  clock: systemClock,
  log: silentLog,
})
server.post('/other', async () => ({ fine: true }))
after(() => server.close())

const send = (url: string, bytes: number) =>
  server.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ pad: '' }).replace('""', `"${'x'.repeat(bytes - 10)}"`),
  })

test('a provider event body may have 1 MiB, and is read before its signature is checked', async () => {
  assert.equal(limits.providerEventBytes, 1024 * 1024)
  const fits = await send('/hooks/email/known', limits.providerEventBytes)
  assert.deepEqual([fits.statusCode, lengths], [401, [limits.providerEventBytes]])
  const over = await send('/hooks/email/known', limits.providerEventBytes + 1)
  assert.deepEqual([over.statusCode, lengths.length], [413, 1])
  assert.match(over.json().message, /larger than the 1 MiB that this route takes/)
})

test('a route without its own limit accepts bodies of 64 KiB', async () => {
  assert.equal((await send('/other', limits.bodyBytes)).statusCode, 200)
  const over = await send('/other', limits.bodyBytes + 1)
  assert.equal(over.statusCode, 413)
  assert.match(over.json().message, /64 KiB/)
})

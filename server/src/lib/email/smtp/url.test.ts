import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSmtpUrl } from './url.ts'

test('the host, port and login come from the SMTP URL, and everything else has a default', () => {
  assert.deepEqual(parseSmtpUrl('smtp://ana%40x.test:pa%3Ass@relay.test'), {
    host: 'relay.test',
    port: 587,
    secure: false,
    requireTls: true,
    auth: { user: 'ana@x.test', pass: 'pa:ss' },
    pool: 5,
    rate: undefined,
    silenceMs: 60_000,
    receipts: 'transactional',
    warmUp: true,
  })
})

test('smtps means TLS from the first byte on its own port, and an IPv6 host loses its brackets', () => {
  const { host, port, secure } = parseSmtpUrl('smtps://[::1]')
  assert.deepEqual([host, port, secure], ['::1', 465, true])
})

test('URL parameters set the pool, rate, timeout and warm-up; senseless values fall back to the defaults', () => {
  const of = (query: string) => parseSmtpUrl(`smtp://relay.test?${query}`)
  assert.deepEqual([of('receipts=all').receipts, of('receipts=none').receipts], ['all', 'none'])
  const { pool, rate, silenceMs, warmUp } = of('pool=20&rate=50&timeout=5&warmup=no')
  assert.deepEqual([pool, rate, silenceMs, warmUp], [20, 50, 5_000, false])
  assert.equal(of('pool=100000').pool, 200)
  for (const nonsense of ['0', '-1', 'many', '']) {
    const odd = of(`pool=${nonsense}&rate=${nonsense}&timeout=${nonsense}`)
    assert.ok(odd.pool >= 1)
    assert.equal(odd.rate, undefined)
    assert.equal(odd.silenceMs, 60_000)
  }
})

test('an SMTP password needs TLS to reach another machine, unless the operator allows otherwise', () => {
  for (const [url, required] of [
    ['smtp://u:p@relay.test', true],
    ['smtp://u:p@10.0.0.7', true],
    ['smtp://u:p@relay.test?tls=offered', false],
    ['smtp://relay.test', false],
    ['smtp://relay.test?tls=required', true],
    ['smtp://u:p@localhost', false],
    ['smtp://u:p@127.0.0.1:25', false],
    ['smtp://u:p@[::1]', false],
    ['smtp://u:p@127.0.0.1.relay.test', true],
  ] as const) {
    assert.equal(parseSmtpUrl(url).requireTls, required, url)
  }
})

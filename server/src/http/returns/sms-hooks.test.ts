import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { fc } from '../../../../tests/support/properties.ts'
import { limits } from '../../config.ts'
import { smsHookOf } from '../../inbound-sms/hooks.ts'
import { createLog } from '../../lib/process/log.ts'
import { parseSmsUrl } from '../../lib/sms/sms-url.ts'
import type { InboundText, SmsReceipt } from '../../lib/sms/transport.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { createServer } from '../server.ts'
import { registerSmsHooks } from './sms-hooks.ts'

const site = 'https://crier.example'
const token = 'a twilio token'
const key = 'a+key of ours'
const twilio = `twilio://AC1:${encodeURIComponent(token)}@api.twilio.com`
const kannel = `kannel://us:password@kannel.example?key=${encodeURIComponent(key)}`

function hooks(smsUrl: string, fault?: Error) {
  const options = parseSmsUrl(smsUrl)
  assert.ok(options)
  const texts: InboundText[] = []
  const receipts: SmsReceipt[] = []
  const lines = new PassThrough()
  const log = createLog('debug', lines)
  const server = createServer({ log, bodyLimit: 1_000, trustProxy: false, https: false })
  registerSmsHooks(server, {
    hook: smsHookOf(options, site),
    route: 'a route',
    clock: systemClock,
    log,
    replies: {
      async text(route, text) {
        if (fault) throw fault
        assert.equal(route, 'a route')
        texts.push(text)
        return 'other'
      },
      async receipt(_route, receipt) {
        receipts.push(receipt)
      },
    },
  })
  const post = (
    form: Record<string, string>,
    { query = '', signed = token, path = 'twilio' } = {},
  ) => {
    const url = `/hooks/sms/${path}${query}`
    const data = Object.keys(form)
      .sort()
      .map((name) => name + form[name])
    const signature = createHmac('sha1', signed)
      .update(site + url + data.join(''))
      .digest('base64')
    return server.inject({
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': signature,
      },
      payload: new URLSearchParams(form).toString(),
    })
  }
  const get = (query: Record<string, string>, path = 'kannel') =>
    server.inject(`/hooks/sms/${path}?${new URLSearchParams(query)}`)
  const logged = () => String(lines.read() ?? '')
  return { server, texts, receipts, post, get, logged }
}

const text = { MessageSid: 'SM1', From: '+33612345678', To: '+33700000001', Body: 'Stop é & co' }
const inboundText = {
  id: 'k1',
  from: '33612345678',
  to: '38383',
  text: 'Stop é',
  time: '1763632800',
}

test('a text from Twilio is accepted, and answered with an empty response', async () => {
  const { post, texts, logged } = hooks(twilio)
  const answer = await post({ ...text, SmsStatus: 'received' })
  assert.deepEqual([answer.statusCode, answer.headers['content-type']], [200, 'text/xml'])
  assert.match(answer.body, /<Response\/>$/)
  const [{ at, ...taken } = { at: undefined }] = texts
  assert.ok(at)
  assert.deepEqual(taken, {
    providerId: 'SM1',
    from: text.From,
    to: text.To,
    body: text.Body,
  })
  const log = logged()
  assert.match(log, /"heard":"text"/)
  for (const told of [text.From.slice(1), text.To.slice(1), 'Stop', text.MessageSid])
    assert.ok(!log.includes(told), `the log holds ${told}`)
})

test('a receipt from Twilio is recorded, and one without news is acknowledged', async () => {
  const { post, receipts } = hooks(twilio)
  const receipt = {
    MessageSid: 'SM1',
    To: text.From,
    MessageStatus: 'undelivered',
    ErrorCode: '30005',
  }
  assert.equal((await post(receipt)).statusCode, 200)
  assert.deepEqual(
    receipts.map(({ providerId, state, code }) => [providerId, state, code]),
    [['SM1', 'failed', '30005']],
  )
  assert.equal((await post({ ...receipt, MessageStatus: 'queued' })).statusCode, 200)
  assert.equal(receipts.length, 1)
})

test('a call with a missing signature, or one by another key or for other parameters, is refused', async () => {
  const { server, post, texts, receipts } = hooks(twilio)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const payload = new URLSearchParams(text).toString()
  const unsigned = { method: 'POST', url: '/hooks/sms/twilio', headers, payload } as const
  const good = await post(text)
  assert.equal(good.statusCode, 200)
  const signature = String(good.raw.req.headers['x-twilio-signature'])
  const altered = payload.replace('Stop', 'Start')
  for (const call of [
    unsigned,
    { ...unsigned, headers: { ...headers, 'x-twilio-signature': 'AAAA' } },
    { ...unsigned, headers: { ...headers, 'x-twilio-signature': signature }, payload: altered },
  ]) {
    const answer = await server.inject(call)
    assert.equal(answer.statusCode, 401)
    assert.match(answer.body, /X-Twilio-Signature does not fit/)
  }
  assert.equal((await post(text, { signed: 'another token' })).statusCode, 401)
  assert.deepEqual([texts.length, receipts.length], [1, 0])
})

test('query parameters that Twilio adds are part of the signed address', async () => {
  const { post, texts } = hooks(twilio)
  assert.equal((await post(text, { query: '?bodySHA256=1&x=%20y' })).statusCode, 200)
  assert.equal(texts.length, 1)
})

test('a text and a receipt from Kannel are accepted, and answered with an empty body', async () => {
  const { get, texts, receipts, logged } = hooks(kannel)
  const answer = await get({ key, ...inboundText })
  assert.deepEqual([answer.statusCode, answer.body], [200, ''])
  assert.deepEqual(texts, [
    {
      providerId: 'k1',
      from: '+33612345678',
      to: '38383',
      body: 'Stop é',
      at: new Date(1_763_632_800_000),
    },
  ])
  assert.equal((await get({ key, id: 'k1', type: '1', answer: 'ok' })).statusCode, 200)
  assert.equal(receipts[0]?.state, 'delivered')
  assert.doesNotMatch(logged(), /of ours|33612345678|Stop/)
})

test('a call from Kannel without the configured key is refused', async () => {
  const { get, texts } = hooks(kannel)
  for (const wrong of ['', 'a', `${key}x`, key.slice(0, -1)]) {
    const answer = await get({ key: wrong, ...inboundText })
    assert.equal(answer.statusCode, 401)
    assert.match(answer.body, /key is missing or does not match SMS_URL/)
  }
  assert.equal((await get(inboundText)).statusCode, 401)
  assert.deepEqual(texts, [])
})

test('the hooks of a provider that is not configured are 404', async () => {
  assert.equal((await hooks(twilio).get({ key, ...inboundText })).statusCode, 404)
  assert.equal((await hooks(kannel).post(text)).statusCode, 404)
  const keyless = hooks('kannel://us:password@kannel.example')
  assert.equal((await keyless.get({ key: '', ...inboundText })).statusCode, 404)
  assert.equal((await hooks('smpp://us:password@smsc.example').post(text)).statusCode, 404)
})

test('a call without the parts of a text is refused', async () => {
  const { From: _from, ...nobody } = text
  assert.equal((await hooks(twilio).post(nobody)).statusCode, 400)
  const { text: _text, ...wordless } = inboundText
  assert.equal((await hooks(kannel).get({ key, ...wordless })).statusCode, 400)
})

test('a body over the limit is refused, and one at the limit is not', async () => {
  const { server } = hooks(twilio)
  const send = (bytes: number) =>
    server.inject({
      method: 'POST',
      url: '/hooks/sms/twilio',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'x'.repeat(bytes),
    })
  assert.equal((await send(limits.smsHookBytes)).statusCode, 401)
  assert.equal((await send(limits.smsHookBytes + 1)).statusCode, 413)
})

test('a body that is not form-encoded is refused', async () => {
  const { server } = hooks(twilio)
  const url = '/hooks/sms/twilio'
  const json = await server.inject({ method: 'POST', url, payload: { Body: 'STOP' } })
  assert.equal(json.statusCode, 415)
})

test('a text that could not be stored is answered with 503, so that the provider repeats it', async () => {
  const { post } = hooks(twilio, Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }))
  assert.equal((await post(text)).statusCode, 503)
})

test('any call gets a response, and only a signed call is accepted', async () => {
  const [fromTwilio, fromKannel] = [hooks(twilio), hooks(kannel)]
  const names = ['MessageSid', 'From', 'To', 'Body', 'MessageStatus', 'ErrorCode', 'SmsStatus']
  const queries = ['id', 'from', 'to', 'text', 'type', 'time', 'answer', 'charset']
  const value = fc.oneof(
    fc.string(),
    fc.constantFrom('+33612345678', '1', '2', '16', 'delivered', '-1', '99999999999999999999'),
  )
  const form = (keys: string[]) => fc.dictionary(fc.constantFrom(...keys), value)
  await fc.assert(
    fc.asyncProperty(form(names), form(queries), fc.boolean(), async (body, query, signed) => {
      const answers = await Promise.all([
        fromTwilio.post(body, signed ? {} : { signed: 'another' }),
        fromKannel.get(signed ? { key, ...query } : query),
      ])
      const allowed = signed ? [200, 400] : [401]
      for (const { statusCode } of answers)
        assert.ok(allowed.includes(statusCode), String(statusCode))
    }),
    { numRuns: 200 },
  )
})

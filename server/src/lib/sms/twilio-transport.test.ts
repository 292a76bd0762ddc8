import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startFakeTwilio, twilioError } from '../../../../tests/support/sms/fake-twilio.ts'
import { openSmsTransport } from '../../../../tests/support/sms/sms-transport.ts'

async function peer(t: TestContext, parameters = '', login?: string) {
  const twilio = await startFakeTwilio()
  t.after(() => twilio.close())
  const transport = openSmsTransport(twilio.url(parameters, login))
  t.after(() => transport.close())
  return { twilio, transport }
}

test('a text is posted as documented, and its sid is returned', async (t) => {
  const { twilio, transport } = await peer(t)
  const sent = await transport.sendOne({ body: 'Bonjour & à 100%+' })
  const [taken] = twilio.taken
  assert.deepEqual(Object.fromEntries(taken?.form ?? []), {
    To: '+33612345678',
    From: '12345',
    Body: 'Bonjour & à 100%+',
    StatusCallback: 'https://crier.test/hooks/sms/twilio',
  })
  assert.deepEqual(sent, {
    result: 'accepted',
    providerId: taken?.sid,
    segments: 1,
    words: 'queued',
  })
})

test('accents that are apart reach Twilio as the letters that they compose', async (t) => {
  const { twilio, transport } = await peer(t)
  await transport.sendOne({ body: 'Cafe\u0301 ouvert' })
  assert.equal(twilio.taken[0]?.form.get('Body'), 'Café ouvert')
})

test('the messaging service of SMS_URL sends texts that name no sender', async (t) => {
  const service = `MG${'a'.repeat(32)}`
  const { twilio, transport } = await peer(t, `&from=${service}`)
  await transport.sendOne({ from: undefined })
  const form = twilio.taken[0]?.form
  assert.deepEqual([form?.get('MessagingServiceSid'), form?.get('From')], [service, null])
})

test('a refusal says whether the text may be sent again, and why not', async (t) => {
  const { twilio, transport } = await peer(t)
  const refused = async (status: number, code: number) => {
    twilio.next(twilioError(status, code, 'as the dictionary says'))
    const sent = await transport.sendOne()
    assert.ok(sent.result === 'refused', JSON.stringify(sent))
    return [sent.final, sent.kind, sent.slower ?? false, sent.code]
  }
  assert.deepEqual(await refused(400, 21211), [true, 'hard', false, '21211'])
  assert.deepEqual(await refused(400, 21610), [true, 'stopped', false, '21610'])
  assert.deepEqual(await refused(400, 21606), [true, 'policy', false, '21606'])
  assert.deepEqual(await refused(400, 99999), [true, 'unknown', false, '99999'])
  assert.deepEqual(await refused(429, 20429), [false, 'soft', true, '20429'])
  assert.deepEqual(await refused(503, 20503), [false, 'soft', false, '20503'])
})

test('a wrong token is reported, and the text is untouched', async (t) => {
  const { transport } = await peer(t, '', `AC${'0'.repeat(32)}:wrong`)
  const sent = await transport.sendOne()
  assert.deepEqual(sent, {
    result: 'untouched',
    fault: 'the provider refuses the account or token of SMS_URL',
  })
})

test('a failure after the text was sent leaves it unclear', async (t) => {
  const { twilio, transport } = await peer(t, '&timeout=0.3')
  twilio.next((response) => void response.destroy())
  assert.equal((await transport.sendOne()).result, 'unclear')
  twilio.next(() => {})
  assert.deepEqual(await transport.sendOne(), {
    result: 'unclear',
    fault: 'the provider took too long',
  })
  twilio.next((response) => response.writeHead(500).end())
  assert.equal((await transport.sendOne()).result, 'unclear')
  twilio.next((response) => response.writeHead(201).end('{"sid":'))
  assert.equal((await transport.sendOne()).result, 'unclear')
})

test('an unreachable provider leaves the text untouched', async (t) => {
  const { twilio, transport } = await peer(t)
  twilio.close()
  assert.equal((await transport.sendOne()).result, 'untouched')
})

test('no more texts are under way than the pool has connections', async (t) => {
  const { twilio, transport } = await peer(t, '&pool=2')
  const waiting: (() => void)[] = []
  const held = twilioError(400, 21211, 'no')
  for (let n = 0; n < 5; n++) twilio.next((response) => waiting.push(() => held(response)))
  const all = Array.from({ length: 5 }, () => transport.sendOne())
  let answered = 0
  while (answered < 5) {
    await new Promise((go) => setImmediate(go))
    assert.ok(waiting.length <= 2)
    if (waiting.length === Math.min(2, 5 - answered)) {
      waiting.shift()?.()
      answered++
    }
  }
  await Promise.all(all)
})

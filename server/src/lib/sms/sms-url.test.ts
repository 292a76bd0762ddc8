import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSmsUrl, routeOf } from './sms-url.ts'

test('the URL scheme names the SMS provider, and each provider has its default port', () => {
  const of = (text: string) => {
    const options = parseSmsUrl(text)
    return [options?.provider, options?.secure, options?.port]
  }
  assert.deepEqual(of('twilio://AC1:t@api.twilio.com'), ['twilio', true, 443])
  assert.deepEqual(of('smpp://id:p@smsc.test'), ['smpp', false, 2775])
  assert.deepEqual(of('smpps://id:p@smsc.test'), ['smpp', true, 3550])
  assert.deepEqual(of('kannel://u:p@kannel.test'), ['kannel', false, 13_013])
  assert.deepEqual(of('kannels://u:p@kannel.test'), ['kannel', true, 443])
})

test('the login and parameters of SMS_URL are decoded', () => {
  const options = parseSmsUrl(
    'smpp://my%40id:pa%3Ass@[::1]:2776?window=50&rate=100&timeout=5&from=%2B3361234&key=k%26',
  )
  assert.deepEqual(options, {
    provider: 'smpp',
    host: '::1',
    port: 2776,
    secure: false,
    user: 'my@id',
    password: 'pa:ss',
    from: '+3361234',
    connections: 50,
    rate: 100,
    silenceMs: 5000,
    key: 'k&',
    systemType: '',
    longTexts: 'udh',
    idBase: 'same',
  })
  assert.equal(options && routeOf(options), 'smpp:my@id@::1:2776')
})

test('senseless parameters of SMS_URL give the defaults, and the window has a maximum', () => {
  const of = (query: string) => parseSmsUrl(`smpp://id:p@smsc.test?${query}`)
  for (const nonsense of ['0', '-1', 'many', '']) {
    const options = of(`window=${nonsense}&rate=${nonsense}&timeout=${nonsense}`)
    assert.deepEqual(
      [options?.connections, options?.rate, options?.silenceMs],
      [10, undefined, 30_000],
    )
  }
  assert.equal(of('window=500')?.connections, 500)
  assert.equal(of('window=501')?.connections, 500)
})

test('text that is not the URL of an SMS provider is rejected', () => {
  for (const text of ['', 'smsc.test', 'https://u:p@x.test', 'smpp://smsc.test', 'smpp://id:p@']) {
    assert.equal(parseSmsUrl(text), undefined, text)
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRefusal } from '../../core/errors.ts'
import { createGuard, type GuardOptions, parseAllowRule } from './outbound-guard.ts'

/** A guard whose DNS gives the addresses that the test sets. */
function guard(names: Record<string, string[]> = {}, options: Partial<GuardOptions> = {}) {
  const asked: string[] = []
  const made = createGuard({
    allowHttp: false,
    rules: [],
    async resolve(name) {
      asked.push(name)
      const found = names[name]
      if (!found) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
      return found
    },
    ...options,
  })
  return { asked, ...made }
}

const loopback = parseAllowRule('127.0.0.0/8:*')
assert.ok(loopback)

test('a host name with only public addresses is admitted', async () => {
  const { admit } = guard({ 'a.example': ['1.1.1.1', '2606:4700::1111'] })
  assert.equal(await admit('https://a.example/hook?x=1'), undefined)
})

test('one private address among public ones is enough to refuse a host name', async () => {
  const { admit } = guard({ 'mixed.example': ['1.1.1.1', '10.0.0.1'] })
  assert.match((await admit('https://mixed.example/'))?.message ?? '', /not public/)
})

test('a host name that resolves to an internal address is refused, whatever it is called', async () => {
  const names = {
    localhost: ['127.0.0.1'],
    'localhost.': ['127.0.0.1'],
    'metadata.example': ['169.254.169.254'],
    'six.example': ['::ffff:10.0.0.1'],
    'nat64.example': ['64:ff9b::7f00:1'],
    'empty.example': [],
  }
  const { admit } = guard(names)
  for (const name of Object.keys(names)) assert.ok(await admit(`https://${name}/`), name)
})

test('every spelling of an internal address is refused without a DNS query', async () => {
  const { admit, asked } = guard()
  const hosts = [
    '127.1',
    '127.0.0.1.',
    '0x7f.1',
    '0177.0.0.1',
    '2130706433',
    '0x7f000001',
    '①②⑦.0.0.1',
    '%31%32%37.0.0.1',
    '0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '169.254.169.254',
    '100.64.0.1',
    '224.0.0.1',
  ]
  for (const host of hosts) {
    const refusal = await admit(`https://${host}/`)
    assert.match(refusal?.message ?? '', /not public/, host)
  }
  assert.deepEqual(asked, [])
})

test('a public IP address in place of a host name is admitted', async () => {
  assert.equal(await guard().admit('https://1.1.1.1/'), undefined)
  assert.equal(await guard().admit('https://[2606:4700::1111]/'), undefined)
})

test('http URLs are accepted in development only', async () => {
  const names = { 'a.example': ['1.1.1.1'] }
  assert.match((await guard(names).admit('http://a.example/'))?.message ?? '', /https/)
  assert.equal(await guard(names, { allowHttp: true }).admit('http://a.example/'), undefined)
})

test('plain http reaches the networks that a rule names, and nothing else', async () => {
  const rules = ['10.0.0.0/8:8080', '192.0.2.7/32:80'].map((text) => {
    const rule = parseAllowRule(text)
    assert.ok(rule)
    return rule
  })
  const names = { 'inner.example': ['10.1.2.3'], 'mixed.example': ['10.1.2.3', '1.1.1.1'] }
  const { admit, check } = guard(names, { rules })
  for (const url of ['http://10.0.0.5:8080/', 'http://inner.example:8080/', 'http://192.0.2.7/']) {
    assert.equal(await admit(url), undefined, url)
  }
  const refused: [string, RegExp][] = [
    ['http://1.1.1.1/', /https:\/\/.*OUTBOUND_ALLOW/],
    ['http://mixed.example:8080/', /https:\/\//],
    ['http://10.0.0.5/', /not public/],
    ['http://192.168.0.1:8080/', /not public/],
    ['http://10.0.0.5:9999/', /Port 9999/],
  ]
  for (const [url, reason] of refused) {
    const message = (await admit(url))?.message ?? ''
    assert.match(message, reason, url)
    assert.match(
      message,
      new RegExp(`OUTBOUND_ALLOW .* such as 172.16.0.0/12:${new URL(url).port || 80}\\.$`),
    )
    assert.doesNotMatch(
      message,
      /10\.1\.2\.3/,
      'what a name resolves to in our network is not told',
    )
  }
  assert.ok(isRefusal(guard().check('http://10.0.0.5/')), 'without a rule nothing is asked of DNS')
  assert.ok(!isRefusal(check('http://inner.example:8080/')))
})

test('URLs with other schemes, ports or credentials, and malformed URLs, are refused with the reason', async () => {
  const { admit } = guard({ 'a.example': ['1.1.1.1'] }, { allowHttp: true })
  const said = async (url: string) => (await admit(url))?.message ?? ''
  assert.match(await said('ftp://a.example/'), /https/)
  assert.match(await said('file:///etc/passwd'), /https/)
  assert.match(await said('https://a.example:8443/'), /Port 8443/)
  assert.match(await said('https://user:pass@a.example/'), /password/)
  assert.match(await said('a.example/hook'), /not a URL/)
})

test('an allow rule admits an internal address on its port', async () => {
  const { admit } = guard({ 'inner.example': ['127.0.0.1'] }, { rules: [loopback] })
  assert.equal(await admit('https://127.0.0.1:9000/'), undefined)
  assert.equal(await admit('https://inner.example:9000/'), undefined)
  assert.ok(await admit('https://10.0.0.1:9000/'))
})

test('a host name that DNS does not know is refused, and the refusal contains the name', async () => {
  assert.match((await guard().admit('https://typo.example/'))?.message ?? '', /typo\.example/)
})

test('a URL is judged without DNS where its text is enough', () => {
  const { check, asked } = guard()
  assert.ok(isRefusal(check('https://127.0.0.1/')))
  assert.ok(check('https://a.example/') instanceof URL)
  assert.deepEqual(asked, [])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spfFault, spfPolicies } from './spf-text.ts'

const needed = 'include:spf.relay.test ip4:192.0.2.1'
const fault = (...texts: string[]) => spfFault(spfPolicies(texts), needed)

test('an SPF policy that allows our servers is correct, with other records beside it and in any order', () => {
  assert.equal(fault(`v=spf1 ${needed} ~all`), undefined)
  assert.equal(fault('v=spf1 a IP4:192.0.2.1 +include:spf.relay.test -all'), undefined)
  assert.equal(fault('google-site-verification=x', `v=spf1 ${needed} ?all`), undefined)
})

test('TXT records that are not SPF policies are not counted', () => {
  assert.deepEqual(spfPolicies(['v=spf1 -all', 'v=DMARC1', 'spf']), ['v=spf1 -all'])
})

const faults: [what: string, texts: string[], words: RegExp][] = [
  ['two policies', [`v=spf1 ${needed} ~all`, 'v=spf1 -all'], /2 SPF records.*delete all but one/],
  ['one without ours', ['v=spf1 ip4:192.0.2.1 -all'], /lacks include:spf.relay.test before all/],
  ['ours behind all', [`v=spf1 -all ${needed}`], /lacks/],
  ['one for everybody', [`v=spf1 ${needed} +all`], /\+all/],
  ['one that is quoted', [`"v=spf1 ${needed} ~all"`], /Quotation marks/],
  ['one run together', ['v=spf1include:spf.relay.test'], /begin with v=spf1/],
]
for (const [what, texts, words] of faults) {
  test(`the SPF fault “${what}” is reported with its remedy`, () =>
    assert.match(fault(...texts) ?? '', words))
}

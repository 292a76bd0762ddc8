import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyFault } from './dkim-text.ts'

const publicKey = `MIIB${'a1/+'.repeat(97)}=`
const others = ['OTHERKEY']
const key = { algorithm: 'rsa-sha256' as const, publicKey, others }
const right = `v=DKIM1; k=rsa; p=${publicKey}`

for (const text of [
  right,
  `k=rsa;p=${publicKey}`,
  `p=${publicKey}`,
  `v=DKIM1;h=sha1:sha256; s=email:*; t=s; n=a note; p=${publicKey};`,
  `v=DKIM1; k=rsa; p=${publicKey.slice(0, 100)} ${publicKey.slice(100)}`,
]) {
  test(`the DKIM record ${text.slice(0, 40)}… is accepted as correct`, () =>
    assert.equal(keyFault([text], key), undefined))
}

const faults: [what: string, texts: string[], words: RegExp][] = [
  ['quotes within', [`"${right}"`], /Quotation marks/],
  ['typographic quotes', [`“${right}”`], /Quotation marks/],
  ['backslashes', [right.replaceAll(';', '\\;')], /Backslashes/],
  ['a space before', [` ${right}`], /space/],
  ['no tags', ['hello world'], /no list of tags/],
  ['a tag twice', [`${right}; k=rsa`], /no list of tags/],
  ['a version in small letters', [right.replace('DKIM1', 'dkim1')], /begin with v=DKIM1/],
  ['a version behind', [`k=rsa; v=DKIM1; p=${publicKey}`], /begin with v=DKIM1/],
  ['no key', ['v=DKIM1; k=rsa'], /no p=/],
  ['a revoked key', ['v=DKIM1; k=rsa; p='], /revoked/],
  ['another kind of key', [`v=DKIM1; k=ed25519; p=${publicKey}`], /another kind/],
  ['the key of another record', ['v=DKIM1; p=OTHERKEY'], /another record/],
  ['a key cut off', [`v=DKIM1; p=${publicKey.slice(0, 200)}`], /cut off after 200 of its 393/],
  ['an old key', ['v=DKIM1; p=MIIBolder'], /Another key stands here/],
  ['sha1 alone', [`v=DKIM1; h=sha1; p=${publicKey}`], /h=/],
  ['no email', [`v=DKIM1; s=other; p=${publicKey}`], /s=/],
  ['a trial', [`v=DKIM1; t=y:s; p=${publicKey}`], /t=y/],
  ['halves in two records', [right.slice(250), right.slice(0, 250)], /cut into two records/],
  ['a second record', [right, 'v=DKIM1; p=MIIBolder'], /2 TXT records.*delete the others/],
  ['two wrong ones', ['v=DKIM1; p=A', 'hello'], /2 TXT records.*Delete them/],
]
for (const [what, texts, words] of faults) {
  test(`the DKIM fault “${what}” is recognised`, () =>
    assert.match(keyFault(texts, key) ?? '', words))
}

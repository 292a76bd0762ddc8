import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusedBy } from '../../../../tests/support/refused.ts'
import { businessName } from '../../accounts/businesses/business.ts'
import { isRefusal } from '../../core/errors.ts'
import { clientName } from '../../oauth/clients/client.ts'
import { hasUnseen } from './visible-text.ts'

const refused = [0x00, 0xad, 0x61c, 0x180e, 0x200b, 0x200e, 0x202e, 0x2060, 0x2069, 0xfeff, 0xe0041]

test('a format character in the name of a business or client is removed or refused', () => {
  for (const code of refused) {
    const name = `Fennoway${String.fromCodePoint(code)} Yoga`
    assert.equal(hasUnseen(name), true, code.toString(16))
    // U+FEFF counts as white space, and a business's name keeps single spaces.
    if (code === 0xfeff) assert.equal(businessName(name), 'Fennoway Yoga')
    else refusedBy(() => businessName(name))
    assert.ok(isRefusal(clientName(name, 'fallback')), code.toString(16))
  }
})

test('the invisible characters that scripts and emoji need stay', () => {
  for (const name of ['می\u200cخواهم', '👩\u200d💻 Studio', 'क्\u200dष', 'Zoë’s Café – 東京']) {
    assert.equal(hasUnseen(name), false)
    assert.equal(businessName(name), name.normalize('NFC'))
    assert.equal(clientName(name, 'fallback'), name)
  }
})

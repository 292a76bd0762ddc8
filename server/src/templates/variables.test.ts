import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTemplates, ownTemplates } from '../../../tests/support/businesses/own-templates.ts'
import { isRefusal } from '../core/errors.ts'
import { templateVariables } from './variables.ts'

let templates: OwnTemplates
before(() => {
  templates = ownTemplates({ deadlineMs: 30_000 })
})
after(() => templates.close())

const urls = {
  unsubscribeUrl: 'https://t.test/u/1',
  preferencesUrl: 'https://t.test/u/1',
  viewUrl: '',
}

async function rendered(text: string, timeZone: string, given: Record<string, unknown>) {
  const compiled = await templates.check({ subject: 'Hi', text })
  assert.ok(!isRefusal(compiled))
  const business = { name: 'Shop', postalAddress: null, timeZone }
  const mail = await templates.render(compiled, templateVariables({ business, ...urls }, given))
  assert.ok(!isRefusal(mail))
  return mail.text
}

test("dates are shown in the business's time zone, with summer or winter time of that date", async () => {
  const text = '{{ at | date: "%Y-%m-%d %H:%M" }}'
  for (const [zone, at, shown] of [
    ['Europe/Paris', '2026-07-01T22:30:00Z', '2026-07-02 00:30'],
    ['Europe/Paris', '2026-12-01T22:30:00Z', '2026-12-01 23:30'],
    ['America/New_York', '2026-12-01T02:00:00Z', '2026-11-30 21:00'],
    ['Asia/Kolkata', '2026-12-01T22:30:00+01:00', '2026-12-02 03:00'],
    ['UTC', '2026-12-01T22:30:00Z', '2026-12-01 22:30'],
  ] as const) {
    assert.equal(await rendered(text, zone, { at }), shown)
    assert.equal(await rendered(text, zone, { at: Date.parse(at) / 1000 }), shown)
  }
})

test('a time zone named in the template takes precedence, and a caller cannot set another one', async () => {
  const given = { at: '2026-12-01T22:30:00Z', business: { time_zone: 'Asia/Tokyo' } }
  const own = '{{ at | date: "%H:%M", "America/New_York" }} {{ at | date: "%H:%M" }}'
  assert.equal(await rendered(own, 'Europe/Paris', given), '17:30 23:30')
  assert.equal(await rendered('{{ business.time_zone }}', 'Europe/Paris', given), 'Europe/Paris')
})

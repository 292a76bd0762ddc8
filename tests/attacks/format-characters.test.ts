/** Invisible characters, in texts that a person reads before deciding or opening mail. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OwnTestbed } from '../operations/support/testbed.ts'
import { campaignScene, openCampaignTestbed } from '../support/businesses/campaigns.ts'

let testbed: OwnTestbed
let scene: Awaited<ReturnType<typeof campaignScene>>
before(async () => {
  testbed = await openCampaignTestbed()
  scene = await campaignScene(testbed)
})
after(() => testbed.close())

// A right-to-left override, a zero-width space, and a word joiner.
const unseen = ['\u202e', '\u200b', '\u2060']
const seen = 'می\u200cخواهم 👩\u200d💻'
const html = '<p>Monday at nine.</p>'

async function refusedField(operation: string, input: object): Promise<unknown> {
  const { kind, body } = await scene.owner.call(operation, input)
  assert.equal(kind, 'refusal', `${operation} took it: ${JSON.stringify(body).slice(0, 300)}`)
  assert.equal(body['code'], 'invalid_request')
  return body['field']
}

test('names and subjects of campaigns, templates and mail with format characters are refused', async () => {
  const { campaign_id } = await scene.draft({ content: { subject: 'News', html } })
  for (const one of unseen) {
    const text = `Ne${one}ws`
    const generate = { channel: 'email', content: { subject: text, html } }
    assert.equal(await refusedField('campaign.generate', generate), 'content.subject')
    const content = { subject: 'News', html }
    for (const [operation, input, field] of [
      ['campaign.generate', { channel: 'email', content, name: text }, 'name'],
      ['campaign.save', { campaign_id, name: text }, 'name'],
      ['campaign.save', { campaign_id, content: { subject: text } }, 'content.subject'],
      ['template.save', { name: text, subject: 'News', html }, 'name'],
      ['template.save', { name: 'News', subject: text, html }, 'subject'],
      ['email.send', { to: 'ana@example.com', subject: text, html }, 'subject'],
    ] as const) {
      assert.equal(await refusedField(operation, input), field, operation)
    }
  }
  await scene.owner.get('campaign.save', { campaign_id, name: seen, content: { subject: seen } })
  // A mark that places a number in Hebrew text, and the flag of Wales.
  const subject = 'שיעור\u200f 9:00 \u{1f3f4}\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}'
  await scene.owner.get('campaign.save', { campaign_id, content: { subject } })
})

test('a brief may contain format characters, and the generated subject and name do not', async () => {
  const brief = 'Tell everyone that yoga\u200b class\u2060 starts Monday at 9:00'
  const made = await scene.owner.get<{ subject: string; name: string }>('campaign.generate', {
    channel: 'email',
    brief,
  })
  assert.doesNotMatch(made.subject + made.name, /[\u200b\u2060]/)
})

test('every field of business.save refuses format characters', async () => {
  for (const one of unseen) {
    const text = `No${one}rth`
    for (const [input, field] of [
      [{ name: text }, 'name'],
      [{ postal_address: `${text}\nLeeds` }, 'postal_address'],
      [{ sender: { name: text, email: 'hello@shop.example' } }, 'sender'],
      [{ sender: { name: 'Shop', email: `he${one}llo@shop.example` } }, 'sender'],
      [{ reply_to: `a${one}na@shop.example` }, 'reply_to'],
      [{ sms_sender: text }, 'sms_sender'],
      [{ sms_help: text }, 'sms_help'],
      [{ time_zone: `Europe/${one}Paris` }, 'time_zone'],
      [{ language: `en${one}` }, 'language'],
      [{ colour: `#4338c${one}` }, 'colour'],
    ] as const) {
      const refused = await refusedField('business.save', input)
      assert.ok(String(refused).startsWith(field), `${String(refused)} of ${JSON.stringify(input)}`)
    }
  }
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OwnTestbed } from '../../../../tests/operations/support/testbed.ts'
import {
  campaignScene,
  deployPlanned,
  openCampaignTestbed,
  yes,
} from '../../../../tests/support/businesses/campaigns.ts'
import { formatId } from '../../core/ids.ts'
import { bareGreetingIn } from './greeting.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openCampaignTestbed()
})
after(() => testbed.close())

const mail = (text: string, html?: string, subject = 'News') => {
  return { subject, text, ...(html !== undefined && { html }) }
}

test('a greeting without a name is found in a subject, a text and HTML', () => {
  for (const line of [
    'Hi ,',
    'Hallo  !',
    'Dear,',
    'Dear',
    'Liebe ,',
    'HI , our news',
    'Hi\u00a0,',
  ]) {
    assert.equal(bareGreetingIn(mail(`News\n${line}\nmore`)), line)
  }
  assert.equal(bareGreetingIn(mail('', '<td class="a b"><p>Hi <b></b>&nbsp;,</p>')), 'Hi  ,')
  assert.equal(bareGreetingIn(mail('', undefined, 'Bonjour , du neuf')), 'Bonjour , du neuf')
  const whole = ['Hi,', 'Hi', 'Hello there,', 'Hi Ada ,', 'Dear Ada', 'Dearest,', 'Hiking , yes']
  for (const line of whole) assert.equal(bareGreetingIn(mail(line)), undefined, line)
  // As French is written, and with a name that somebody else has.
  assert.equal(bareGreetingIn(mail('Bonjour !'), new Set(['Bonjour !'])), undefined)
  const tags = `${'<a '.repeat(300_000)}Hi ,`
  assert.equal(bareGreetingIn(mail('', tags)), undefined)
})

interface Previewed {
  gates: { gate: string; result: string; evidence: string; fix?: object }[]
}

test('a campaign is blocked while it greets anybody without a name, and says whom', async () => {
  const scene = await campaignScene(testbed)
  const person = (name: string, more: object) =>
    scene.owner.get<{ contact_id: string }>('contact.upsert', {
      email: `${name}@example.com`,
      consent: { email: yes },
      ...more,
    })
  await person('ada', { first_name: 'Ada' })
  // Somebody who is not among the recipients.
  await scene.contact({ email: 'quiet@example.com' })
  const content = {
    subject: 'News',
    html: '<p>Hi <b>{{ contact.first_name }}</b>,</p><p>Come to {{ contact.attributes.town }}.</p>',
    translations: {
      de: { subject: 'Neues', html: '<p>Hallo {{ contact.first_name | default: "du" }},</p>' },
    },
  }
  const { campaign_id } = await scene.draft({ content })
  const found = async () => {
    const { gates } = await scene.owner.get<Previewed>('campaign.preview', { campaign_id })
    return gates.find(({ gate }) => gate === 'content')
  }
  assert.equal((await found())?.result, 'pass', 'the only recipient has a first name')
  await person('jonas', { language: 'de' })
  assert.equal((await found())?.result, 'pass', 'the German mail has a default')
  const { contact_id } = await person('nameless', { attributes: { town: 'Rome' } })
  const gate = await found()
  assert.equal(gate?.result, 'block')
  assert.equal(gate?.evidence, `The greeting comes out as “Hi ,” for ${contact_id}.`)
  const business_id = formatId('business', scene.businessId)
  const fix = { tool: 'svc.v1.contact.get', arguments: { business_id, contact_id } }
  assert.deepEqual(gate?.fix, fix)
  const refusal = await scene.refused('campaign.deploy', { campaign_id })
  assert.match(refusal.message, /comes out as “Hi ,”/)
  await person('nameless', { first_name: 'Nia' })
  assert.equal((await found())?.result, 'pass')
  await deployPlanned(scene.owner, { campaign_id })
})

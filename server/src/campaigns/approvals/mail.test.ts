import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../../tests/operations/support/testbed.ts'
import { campaignScene, deployPlanned } from '../../../../tests/support/businesses/campaigns.ts'
import { eventually } from '../../../../tests/support/time/eventually.ts'
import { setBusiness } from '../../accounts/settings/settings.ts'
import { formatId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { approvalMailsADay } from './mail.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({})
})
after(() => testbed.close())

async function limited() {
  const scene = await campaignScene(testbed)
  const { businessId } = scene
  await scene.subscribers(3)
  await setBusiness(testbed.db, businessId, { key: 'deploy_limit', value: '1', now: new Date() })
  const deploy = async (name: string) => {
    const { campaign_id } = await scene.draft({ name })
    await deployPlanned(scene.owner, { campaign_id })
    return campaign_id
  }
  return { scene, businessId, deploy }
}

/** The approval mails of a business: the role of each addressee, and the text. */
function mails(businessId: string) {
  return testbed.db.all<{ role: string; text: string }>(sql`
    select m.role, i.body_text as text from inbox_messages i
    join users u on u.email = i.recipient
    join memberships m on m.user_id = u.id and m.business_id = ${businessId}
    where i.subject in ('A campaign waits for your approval', 'Eine Kampagne wartet auf Ihre Freigabe')
    order by m.role, i.id
  `)
}

const mailsOf = (businessId: string, many: number) =>
  eventually(
    () => mails(businessId),
    (found) => found.length >= many,
  )

test('a mail about a waiting campaign goes to the members who may approve it, and to no other member', async () => {
  const { scene, businessId, deploy } = await limited()
  for (const role of ['admin', 'approver', 'editor', 'viewer'] as const) {
    await testbed.appCaller({ businesses: [businessId], role })
  }
  const campaign_id = await deploy('News of evil.example/x')
  const found = await mailsOf(businessId, 3)
  assert.deepEqual(
    found.map(({ role }) => role),
    ['admin', 'approver', 'owner'],
  )
  const [{ text } = { text: '' }] = found
  assert.match(text, /to 3 recipients by email is waiting for approval/)
  assert.ok(text.includes(`${testbed.service.config.appUrl}/campaigns/${campaign_id}\n`))
  assert.match(
    text,
    /Stop this assistant:\nhttp\S+\/connections\n\nStop all sending:\nhttp\S+\/account\/stop\/bus_\w+\n/,
  )
  assert.doesNotMatch(text, /evil\.example/, 'a name makes no link')
  await scene.owner.get('campaign.cancel', { campaign_id })
})

test('where two people are required, the person who deployed the campaign gets no approval mail', async () => {
  const { businessId, deploy } = await limited()
  await testbed.db.run(
    sql`update businesses set two_people = true, language = 'de' where id = ${businessId}`,
  )
  await testbed.appCaller({ businesses: [businessId], role: 'admin' })
  await deploy('For two')
  const found = await mailsOf(businessId, 1)
  assert.match(found[0]?.text ?? '', /an 3 Empfänger per E-Mail wartet auf Freigabe/)
  assert.deepEqual(
    found.map(({ role }) => role),
    ['admin'],
  )
})

test('repeated deploys and cancels send only a limited number of approval mails', async () => {
  const { scene, businessId, deploy } = await limited()
  for (let n = 0; n < approvalMailsADay; n++) {
    await deploy(`Number ${n}`)
    await mailsOf(businessId, n + 1)
  }
  const last = await deploy('One more')
  const waiting = () =>
    testbed.db.one<{ n: number }>(sql`
      select count(*)::int as n from jobs where kind = 'campaign.approval-mail'
    `)
  await eventually(waiting, ({ n }) => n === 0)
  assert.equal((await mails(businessId)).length, approvalMailsADay)
  const { status } = await scene.owner.get<{ status: string }>('campaign.get', {
    campaign_id: last,
  })
  assert.equal(status, 'awaiting_approval')
})

test('who sent a campaign off is mailed that another refused it and why, and nobody is mailed of their own', async () => {
  const scene = await campaignScene(testbed)
  const { businessId } = scene
  await scene.subscribers(2)
  const now = new Date()
  await setBusiness(testbed.db, businessId, { key: 'deploy_limit', value: '0', now })
  const [author, other] = [
    await testbed.appCaller({ businesses: [businessId], role: 'admin' }),
    await testbed.appCaller({ businesses: [businessId], role: 'approver' }),
  ]
  await setBusiness(testbed.db, businessId, { key: 'two_people', value: 'yes', now })
  const told = (userId: string) =>
    testbed.db.all<{ subject: string; text: string }>(sql`
      select subject, body_text as text from inbox_messages
      where recipient = (select email from users where id = ${userId})
        and subject in ('Your campaign was not approved', 'Ihre Kampagne wurde nicht freigegeben')
      order by id
    `)
  const { campaign_id } = await scene.draft({ name: 'News' })
  const refuse = async (by: typeof author, reason?: string) => {
    await author.get('campaign.deploy', { campaign_id })
    await by.get('campaign.decide', { campaign_id, decision: 'refuse', ...(reason && { reason }) })
  }
  await author.get('campaign.deploy', { campaign_id })
  const waits = async (by: typeof author) => {
    const { body } = await by.call('campaign.get', { campaign_id })
    return (body['waits'] as { other_approvers: number | null }).other_approvers
  }
  assert.equal(await waits(author), 2, 'the approver and the owner')
  assert.equal(await waits(other), null, 'may approve it')
  await author.get('campaign.decide', { campaign_id, decision: 'refuse' })
  await refuse(other, 'See evil.example/x first.')
  const [mail, none] = await eventually(
    () => told(author.userId),
    ({ length }) => length > 0,
  )
  assert.equal(none, undefined, 'their own refusal is no news')
  assert.match(mail?.text ?? '', /“News” of .* was not approved.* Reason: “See evil/)
  assert.doesNotMatch(mail?.text ?? '', /evil\.example/, 'a reason makes no link')
  assert.ok(mail?.text.includes(`/b/${formatId('business', businessId)}/campaigns/${campaign_id}`))
  await setBusiness(testbed.db, businessId, { key: 'language', value: 'de', now })
  await refuse(other)
  const both = await eventually(
    () => told(author.userId),
    ({ length }) => length > 1,
  )
  assert.match(both[1]?.text ?? '', /wurde nicht freigegeben und ist wieder ein Entwurf\.\n/)
  assert.deepEqual(await told(other.userId), [])
})

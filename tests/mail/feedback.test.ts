/** Marketing waits until a report has come back from its relay, and `crier doctor --mail` asks for one. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setBusiness } from 'crier-server/accounts/settings/settings.ts'
import type { Gate } from 'crier-server/campaigns/preflight/gates/gate.ts'
import type { Finding } from 'crier-server/checks/finding.ts'
import { isRefusal } from 'crier-server/core/errors.ts'
import { marketingFindings } from 'crier-server/operator/check-reports.ts'
import { type MailTest, testRelays } from 'crier-server/operator/test-relay.ts'
import { campaignScene, deployPlanned } from '../support/businesses/campaigns.ts'
import { type FakeRelay, reply, startFakeRelay } from '../support/mail/fake-relay.ts'
import { type MailService, mailService } from '../support/mail/mail-service.ts'
import { examples } from '../support/mail/provider-examples.ts'
import { login, requestOf } from '../support/mail/provider-requests.ts'
import { eventually } from '../support/time/eventually.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'crier-feedback-'))
let relay: FakeRelay
let mail: MailService
/** Milliseconds by which the service's clock is ahead of ours. */
let ahead = 0
const clock = { now: () => new Date(Date.now() + ahead) }

before(async () => {
  relay = await startFakeRelay({
    onRcptTo: ({ address }, _session, done) =>
      done(address.startsWith('refused') ? reply('550 5.1.1 nobody here') : null),
  })
  const relays = {
    postmark: { url: relay.url(), profile: 'postmark' },
    own: { url: relay.url(), profile: 'own' },
  }
  const file = path.join(folder, 'relays.json')
  writeFileSync(file, JSON.stringify({ relays }))
  const settings = { RELAYS: file, POSTMARK_LOGIN: login, FEEDBACK_GATE: 'strict' }
  mail = await mailService(undefined, { clock, settings })
})
after(async () => {
  await mail?.close()
  await relay?.stop()
  rmSync(folder, { recursive: true })
})

/** A business whose marketing goes over this relay, with a campaign that could go out. */
async function sceneOver(name: string) {
  const scene = await campaignScene(mail.testbed)
  const choice = { key: 'relay_marketing', value: name, now: new Date() }
  await setBusiness(mail.testbed.db, scene.businessId, choice)
  await scene.subscribers(1)
  const { campaign_id } = await scene.draft()
  const gate = async () => {
    const { gates } = await scene.owner.get<{ gates: Gate[] }>('campaign.preview', { campaign_id })
    return gates.find((entry) => entry.gate === 'sender') ?? assert.fail('it is not looked at')
  }
  return { ...scene, campaign_id, gate }
}

async function run(wanted: Partial<MailTest>) {
  const { db, service } = mail.testbed
  const lines: string[] = []
  const found: Finding[] = []
  const parts = { db, config: service.config, clock, vault: service.vault }
  for await (const finding of testRelays(parts, { waitSeconds: 1, ...wanted }, (line) =>
    lines.push(line),
  )) {
    found.push(finding)
  }
  return { lines, found }
}

const notify = async (payload: unknown) => {
  const { body, headers } = requestOf('postmark', payload, clock.now())
  const url = `${mail.testbed.service.url}/hooks/email/postmark`
  const answer = await fetch(url, { method: 'POST', headers, body })
  return answer.json()
}

const messageIn = (source: string) =>
  /X-PM-Metadata-crier-message: (msg_\w+)/.exec(source)?.[1] ?? ''

test('marketing waits on a relay from which nothing came back, and a receipt does not', async () => {
  const { gate, refused, owner, campaign_id } = await sceneOver('own')
  const { result, evidence, remedy, fix } = await gate()
  assert.equal(result, 'block')
  assert.match(evidence, /no bounce or other report has come back yet/)
  assert.match(`${evidence} ${remedy}`, /Ask the operator/)
  assert.equal(fix, undefined)
  assert.doesNotMatch(JSON.stringify([evidence, remedy]), /crier doctor|FEEDBACK_GATE/)
  const deploy = await refused('campaign.deploy', { campaign_id })
  assert.match(deploy.message, /Ask the operator/)
  const words = { to: 'who-1@example.com', subject: 'A word', text: 'Hello' }
  const one = await refused('email.send', { ...words, kind: 'marketing' })
  assert.deepEqual([one.code, /Marketing waits/.test(one.message)], ['conflict', true])
  await owner.get('email.send', words)
})

test('crier doctor --mail hears the report on its mail, and marketing is open', async () => {
  const { gate, owner, campaign_id } = await sceneOver('postmark')
  assert.equal((await gate()).result, 'block')
  const asked = run({ relay: 'postmark', waitSeconds: 30 })
  const sent = await eventually(
    async () => relay.taken.find(({ to }) => to.endsWith('postmarkapp.com')),
    (entry) => entry !== undefined,
  )
  const { bounced } = examples.postmark(messageIn(sent?.source ?? ''))
  assert.deepEqual(await notify(bounced), { taken: 1 })
  assert.deepEqual(await notify(bounced), { taken: 0 })
  const { lines, found } = await asked
  assert.deepEqual(
    found.map(({ check, outcome }) => [check, outcome]),
    [['mail test of postmark', 'ok']],
  )
  assert.match(
    found[0]?.text ?? '',
    /the report came back \(provider postmark: Test bounce details\)/,
  )
  assert.match(lines.join('\n'), /sends to hardbounce@.*\n.*waits for the report, 0 s of 30 s/)
  ahead += 11_000
  assert.equal((await gate()).result, 'pass')
  await deployPlanned(owner, { campaign_id })

  const { db, service } = mail.testbed
  const told: unknown[] = []
  for await (const { check, outcome } of marketingFindings(db, service.config)) {
    told.push([check, outcome])
  }
  assert.deepEqual(told, [
    ['marketing over postmark', 'ok'],
    ['marketing over own', 'warn'],
  ])
  assert.deepEqual(await service.app.unheardRelays(), ['own'])
})

test('a report on any mail of the relay opens it too', async () => {
  const { gate, owner, businessId } = await sceneOver('own')
  assert.equal((await gate()).result, 'block')
  const choice = { key: 'relay_transactional', value: 'own', now: new Date() }
  await setBusiness(mail.testbed.db, businessId, choice)
  ahead += 11_000
  const words = { to: 'who-1@example.com', subject: 'A word', text: 'Hello' }
  const { message_id } = await owner.get<{ message_id: string }>('email.send', words)
  await eventually(
    () => owner.get<{ status: string }>('message.get', { message_id }),
    ({ status }) => status === 'accepted',
  )
  assert.deepEqual(await notify(examples.postmark(message_id).delivered), { taken: 1 })
  ahead += 11_000
  assert.equal((await gate()).result, 'pass')
})

test('crier doctor --mail says what to do where no report comes, or the relay takes nothing', async () => {
  const silent = await run({ relay: 'postmark' })
  assert.equal(silent.found[0]?.outcome, 'fail')
  assert.match(silent.found[0]?.mend ?? '', /hooks\/email\/postmark.*POSTMARK_LOGIN/)
  const nobody = await run({ relay: 'own' })
  assert.match(nobody.found[0]?.mend ?? '', /crier doctor --mail example\.com/)
  const refusing = await run({ relay: 'own', to: 'refused@example.com' })
  assert.match(refusing.found[0]?.text ?? '', /refused the mail at once \(550/)
  const madeUp = await run({ relay: 'own', to: 'example.com' })
  assert.match(madeUp.found[0]?.text ?? '', /no report came back within 1 s/)
  assert.match(relay.taken.at(-1)?.to ?? '', /^crier-[0-9a-f]{16}@example\.com$/)
  for (const wrong of [{ relay: 'third' }, { relay: 'own', to: 'a b@example.com' }]) {
    await assert.rejects(
      run(wrong),
      (error) => isRefusal(error) && error.code === 'invalid_request',
    )
  }
})

/** Creates one thing of each kind, for samples that use its id. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@crier-mail/sdk'
import { exampleValue } from 'crier-server/reference/examples/values.ts'

/** A picture of one point. */
const dot =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg=='

/** `receiver` is the URL of an accepted webhook. */
export async function sampleIds(client: Client, receiver: string): Promise<Record<string, string>> {
  // A new address in each run, because the last sample erases it.
  const email = `ana-${randomUUID()}@example.com`
  const { businesses } = await client.business.list()
  const { form_id } = await client.form.save({
    name: 'Newsletter',
    status: 'published',
    fields: [
      { key: 'email', label: 'Email', type: 'email', required: true },
      { key: 'news', label: 'Yes, send me the newsletter', type: 'consent' },
      { key: 'name', label: 'Name', type: 'text' },
    ],
  })
  // Whom samples name by something other than an id.
  const exampleOf = (key: string) => String(exampleValue({ type: 'string' }, key, {}))
  await client.contact.upsert({ email: exampleOf('email'), external_id: exampleOf('external_id') })
  const other = await client.contact.upsert({ email: `leo-${randomUUID()}@example.com` })
  const { submission_id, contact_id } = await client.form.submit({
    form_id,
    fields: { email, news: 'true' },
  })
  const leaving = await client.contact.upsert({ email: `mia-${randomUUID()}@example.com` })
  const { held } = await client.contact.merge({
    contact_id: other.contact_id,
    other_contact_id: leaving.contact_id,
  })
  const { batch_id } = await client.message.propose({
    emails: [{ contact_id, subject: 'Thank you', text: 'It was good to meet you.' }],
    kind: 'transactional',
  })
  const { note_id } = await client.note.add({ contact_id, text: 'Met at the fair.' })
  const { webhook_id } = await client.webhook.save({
    url: receiver,
    events: ['form.submitted'],
  })
  const { delivery_id } = await client.webhook.test({ webhook_id })
  await delivered(client, delivery_id)
  const mail = { to: email, subject: 'Welcome', text: 'Good to have you.', allow_duplicate: true }
  const { message_id } = await client.email.send(mail)
  const inbox = await client.inbox.list({ to: email, wait: '30s' })
  const send_at = new Date(Date.now() + 86_400_000).toISOString()
  const scheduled = await client.email.send({ ...mail, send_at })
  const moved = await client.email.send({ ...mail, send_at })
  const { template_id } = await client.template.save({
    name: `Welcome ${randomUUID()}`,
    subject: 'Welcome',
    html: '<p>Hello {{ contact.name }}.</p>',
  })
  const { image_id } = await client.image.upload({ data: dot })
  const { segment_id } = await client.segment.save({
    name: `VIP ${randomUUID()}`,
    filter: { tag: 'vip' },
  })
  const generate = (subject: string) =>
    client.campaign.generate({
      channel: 'email',
      content: { subject, html: '<p>Hello, here is what is new.</p>' },
    })
  const { campaign_id } = await generate('News')
  const { campaign_id: other_campaign_id } = await generate('Old news')
  return {
    bus: businesses[0]?.business_id ?? '',
    frm: form_id,
    sub: submission_id,
    con: contact_id,
    nte: note_id,
    bat: batch_id,
    rmv: held?.removal_id ?? '',
    other_contact_id: other.contact_id,
    whk: webhook_id,
    dlv: delivery_id,
    msg: message_id,
    mai: inbox.mails[0]?.mail_id ?? '',
    scheduled: scheduled.message_id,
    moved: moved.message_id,
    tpl: template_id ?? '',
    seg: segment_id ?? '',
    img: image_id,
    cmp: campaign_id,
    other_campaign_id,
  }
}

/** Waits for the delivery, because one under way cannot be replayed. */
async function delivered(client: Client, delivery_id: string): Promise<void> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(50)) {
    const { deliveries } = await client.webhook.deliveries({ delivery_id })
    if (deliveries[0]?.state === 'delivered') return
  }
  throw new Error(`${delivery_id} was not delivered`)
}

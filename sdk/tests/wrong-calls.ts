/** Calls that must not compile: `tsc -p sdk` fails where one does. */
import type { Client, Contact, Message, Webhook } from '../src/index.ts'

export function wrongCalls(client: Client, one: { contact: Contact; message: Message }): unknown[] {
  return [
    // @ts-expect-error: wrong
    client.email.send(),
    // @ts-expect-error: wrong
    client.email.send({}),
    // @ts-expect-error: wrong
    client.email.send({ to: 'a@b.c' }),
    // @ts-expect-error: wrong
    client.email.send({ to: 'a@b.c', subject: 'x' }),
    // @ts-expect-error: wrong
    client.email.send({ to: 'a@b.c', html: 'x' }),
    // @ts-expect-error: wrong
    client.email.send({ subject: 'x', text: 'y' }),
    // @ts-expect-error: wrong
    client.email.send({ to: 1, subject: 'x', text: 'y' }),
    // @ts-expect-error: wrong
    client.email.send({ to: 'a@b.c', subject: 'x', text: 'y', unknown: 1 }),
    // @ts-expect-error: wrong
    client.email.send({ to: 'a@b.c', subject: 'x', text: 'y', kind: 'news' }),
    // @ts-expect-error: wrong
    client.email.send({ to: 'a@b.c', subject: 'x', text: 'y', cc: 'd@e.f' }),
    // @ts-expect-error: wrong
    client.email.send({ to: 'a@b.c', subject: 'x', text: 'y', tags: 'one' }),
    // @ts-expect-error: wrong
    client.email.send({ to: 'a@b.c', subject: 'x', text: 'y', send_at: new Date() }),
    // @ts-expect-error: wrong
    client.email.send({ to: 'a@b.c', subject: 'x', text: 'y', attachments: [{ filename: 'a' }] }),
    // @ts-expect-error: wrong
    client.email.send({ to: 'a@b.c', subject: 'x', text: 'y', metadata: { n: 1 } }),
    // @ts-expect-error: wrong
    client.email.send({ to: 'a@b.c', template_id: 7 }),
    // @ts-expect-error: wrong
    client.email.send({ to: undefined, template_id: 'tpl_1' }),
    // @ts-expect-error: wrong
    client.email.send_batch(),
    // @ts-expect-error: wrong
    client.email.send_batch({}),
    // @ts-expect-error: wrong
    client.email.send_batch({ messages: {} }),
    // @ts-expect-error: wrong
    client.email.send_batch({ messages: [{}] }),
    // @ts-expect-error: wrong
    client.email.send_batch({ messages: [{ to: 'a@b.c' }] }),
    // @ts-expect-error: wrong
    client.email.send_batch({ messages: [{ to: 'a@b.c', subject: 'x', text: 'y', unknown: 1 }] }),
    // @ts-expect-error: wrong
    client.sms.send({}),
    // @ts-expect-error: wrong
    client.sms.send({ to: '+33612345678' }),
    // @ts-expect-error: wrong
    client.sms.send({ text: 'x' }),
    // @ts-expect-error: wrong
    client.sms.send({ to: '+33612345678', text: 'x', subject: 'y' }),
    // @ts-expect-error: wrong
    client.sms.send_batch({ messages: [{ text: 'x' }] }),
    // @ts-expect-error: wrong
    client.sms.send_batch({ messages: ['x'] }),
    // @ts-expect-error: wrong
    client.webhook.replay(),
    // @ts-expect-error: wrong
    client.webhook.replay({}),
    // @ts-expect-error: wrong
    client.webhook.replay({ webhook: 'whk_1' }),
    // @ts-expect-error: wrong
    client.webhook.get(),
    // @ts-expect-error: wrong
    client.webhook.get({}),
    // @ts-expect-error: wrong
    client.webhook.get({ webhook_id: 1 }),
    // @ts-expect-error: wrong
    client.webhook.rotate({ webhook_id: 'whk_1', grace_period_seconds: '1' }),
    // @ts-expect-error: wrong
    client.webhook.save({ url: 'https://a.b', events: ['no.such'] }),
    // @ts-expect-error: wrong
    client.webhook.save({ url: 'https://a.b', events: 'form.submitted' }),
    // @ts-expect-error: wrong
    client.webhook.delete('whk_1'),
    // @ts-expect-error: wrong
    client.contact.get({}),
    // @ts-expect-error: wrong
    client.contact.get({ id: 'con_1' }),
    // @ts-expect-error: wrong
    client.contact.upsert({ email: 1 }),
    // @ts-expect-error: wrong
    client.contact.upsert({ mail: 'a@b.c' }),
    // @ts-expect-error: wrong
    client.contact.upsert({ email: 'a@b.c', tags: 'vip' }),
    // @ts-expect-error: wrong
    client.contact.list({ limit: '10' }),
    // @ts-expect-error: wrong
    client.contact.list.all({ limit: '10' }),
    // @ts-expect-error: wrong
    client.contact.list.page({ nothing: true }),
    // @ts-expect-error: wrong
    client.contact.list.all().toArray(),
    // @ts-expect-error: wrong
    client.contact.list.all().toArray({ max: '1' }),
    // @ts-expect-error: wrong
    client.contact.merge({ contact_id: 'con_1' }),
    // @ts-expect-error: wrong
    client.contact.track({}),
    // @ts-expect-error: wrong
    client.contact.track({ events: {} }),
    // @ts-expect-error: wrong
    client.contact.import({ contacts: 'x' }),
    // @ts-expect-error: wrong
    client.contact.erase(),
    // @ts-expect-error: wrong
    client.topic.save({ name: 'News' }),
    // @ts-expect-error: wrong
    client.form.submit({ form_id: 'frm_1' }),
    // @ts-expect-error: wrong
    client.form.submit({ fields: {} }),
    // @ts-expect-error: wrong
    client.submission.list(),
    // @ts-expect-error: wrong
    client.submission.list.all(),
    // @ts-expect-error: wrong
    client.campaign.deploy({}),
    // @ts-expect-error: wrong
    client.campaign.generate({}),
    // @ts-expect-error: wrong
    client.campaign.generate({ channel: 'fax' }),
    // @ts-expect-error: wrong
    client.message.get({ message: 'msg_1' }),
    // @ts-expect-error: wrong
    client.domain.add({}),
    // @ts-expect-error: wrong
    client.domain.state_volume({ domain: 'a.b', emails_per_day: 'many' }),
    // @ts-expect-error: wrong
    client.reply.decide({ reply_id: 'rpl_1', decision: 'perhaps' }),
    // @ts-expect-error: wrong
    client.meta.changes({ types: ['no.such'] }),
    // @ts-expect-error: wrong
    client.meta.usage({ months: 1 }),
    // @ts-expect-error: wrong
    client.nothing.at_all({}),
    // @ts-expect-error: wrong
    client.template.save({ name: 'x', blocks: 'hello' }),
    // @ts-expect-error: wrong
    client.template.save({ name: 'x', blocks: ['hello'] }),
    // @ts-expect-error: wrong
    client.template.save({ name: 'x', blocks: [{ text: 'no type' }] }),
    // @ts-expect-error: wrong
    client.template.save({ name: 'x', blocks: [{ type: 'paragraph', text: 'x' }] }),
    // @ts-expect-error: wrong
    client.template.save({ name: 'x', blocks: [{ type: 'heading' }] }),
    // @ts-expect-error: wrong
    client.template.save({ name: 'x', blocks: [{ type: 'text', text: 'x', level: 1 }] }),
    // @ts-expect-error: wrong
    client.template.save({ name: 'x', blocks: [{ type: 'button', text: 'x' }] }),
    // @ts-expect-error: wrong
    client.template.save({ name: 'x', blocks: [{ type: 'text', text: 'x', align: 'middle' }] }),
    // @ts-expect-error: wrong
    client.template.save({ name: 'x', blocks: [{ type: 'list', items: 'x' }] }),
    // @ts-expect-error: wrong
    client.template.save({ name: 'x', blocks: [{ type: 'receipt', rows: [{ name: 'x' }] }] }),
    // @ts-expect-error: wrong
    client.brand.set({ footer: [{ type: 'social', links: [{ network: 'myspace', url: 'x' }] }] }),
    // @ts-expect-error: wrong
    client.brand.set({ footer: [{ type: 'columns', columns: [[{ type: 'feed' }]] }] }),
    // @ts-expect-error: wrong
    client.campaign.save({ campaign_id: 'cmp_1', content: { blocks: [{ type: 'image' }] } }),
    // @ts-expect-error: wrong
    client.brand.set({ header: [{ type: 'logo', size: 1 }] }),
    // @ts-expect-error: wrong
    client.template.save({ name: 'x', blocks: [{ type: 'text', text: 'x', show_if: {} }] }),
    // @ts-expect-error: wrong
    client.template.save({ blocks: [{ type: 'text', text: 'x', show_if: { tags: 'x' } }] }),
    // @ts-expect-error: wrong
    client.contact.list({ filter: { field: 'name', op: 'equals', value: 'x' } }),
    // @ts-expect-error: wrong
    client.contact.list({ filter: { and: { tag: 'x' } } }),
    // @ts-expect-error: wrong
    client.segment.save({ name: 'x', filter: { consent: 'email', is: 'yes' } }),
    // @ts-expect-error: wrong
    client.segment.save({ name: 'x', filter: { did: 'order.paid', at_least: 'one' } }),
    // @ts-expect-error: wrong
    client.campaign.save({ campaign_id: 'cmp_1', audience: { filter: { reachable: 'post' } } }),
    // @ts-expect-error: wrong
    client.sequence.save({ name: 'x', goal: { not: [{ tag: 'x' }] } }),
    // @ts-expect-error: wrong
    client.contact.upsert({ name: 'Ana' }),
    // @ts-expect-error: wrong
    client.contact.import({ contacts: [{ name: 'Ana' }] }),
    // @ts-expect-error: wrong
    client.contact.import({ contacts: [{ email: 'a@b.c', consent: { email: 'subscribed' } }] }),
    // @ts-expect-error: wrong
    client.contact.track({ events: [{ event: 'order' }] }),
    // @ts-expect-error: wrong
    client.suppression.import({ suppressions: [{ email: 'a@b.c' }] }),
    // @ts-expect-error: wrong
    client.suppression.import({ suppressions: [{ reason: 'bounce' }] }),
    // @ts-expect-error: wrong
    client.email.send_batch({ messages: [{ to: 'a@b.c', subject: 'x', text: 'y', bcc: [] }] }),
    // @ts-expect-error: wrong
    client.sms.send_batch({ messages: [{ text: 'x' }] }),
    // @ts-expect-error: a contact is no message
    one.contact.message_id,
    // @ts-expect-error: nor is a message a webhook
    one.message satisfies Webhook,
  ]
}

/** And calls that must. */
export async function rightCalls(client: Client): Promise<unknown[]> {
  const content = { subject: 'x', text: 'y' }
  const messages: Message[] = []
  for await (const message of client.message.list.all()) messages.push(message)
  const { blocks } = await client.template.convert({ html: '<p>x</p>' })
  return [
    ...messages,
    await client.template.save({ name: 'x', subject: 'x', blocks }),
    await client.template.save({
      template_id: 'tpl_1',
      blocks: [
        { type: 'heading', text: 'x', level: 2, show_if: { tag: 'vip' } },
        { type: 'columns', columns: [[{ type: 'text', text: 'x' }], [{ type: 'divider' }]] },
      ],
    }),
    await client.segment.save({
      name: 'x',
      filter: {
        and: [
          { tag: 'vip' },
          { not: { field: 'attributes.plan', op: 'in', value: ['free', 2] } },
          { or: [{ consent: 'email', is: 'subscribed', within: '30 days' }, { reachable: 'sms' }] },
          {
            did: 'order.paid',
            where: { 'properties.plan': { is: 'pro' } },
            sum: 'value',
            at_least: 50,
          },
        ],
      },
    }),
    await client.email.send({ to: 'a@b.c', ...content }),
    await client.email.send({ contact_id: 'con_1', template_key: 'receipt', variables: {} }),
    await client.email.send_batch({ messages: [{ to: 'a@b.c', ...content }] }),
    await client.email.send_batch({ messages: [{ to: ['a@b.c'], ...content }] }),
    await client.contact.import({ contacts: [{ external_id: 'x' }, { phone: '+33612345678' }] }),
    await client.contact.track({ events: [{ contact: { email: 'a@b.c' }, event: 'order' }] }),
    await client.sms.send({ to: '+33612345678', text: 'x' }),
    await client.webhook.replay({ delivery_id: 'dlv_1' }),
    await client.submission.list.page({ form_id: 'frm_1' }),
  ]
}

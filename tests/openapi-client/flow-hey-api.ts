/** The same program with a third generator's client, the functions of `functions/`. It imports nothing of ours. */
import { client } from './functions/client.gen.ts'
import * as api from './functions/index.ts'

const [baseUrl = '', token = ''] = process.argv.slice(2)
client.setConfig({ baseUrl, auth: token })

/** Throws a refusal. */
const strict = { throwOnError: true } as const

const saved = await api.contactUpsert({
  ...strict,
  body: { email: 'generated@example.com', name: 'Generated', tags: ['client'] },
})
const made = await api.formSave({
  ...strict,
  body: {
    name: 'Generated',
    status: 'published',
    fields: [{ key: 'email', label: 'Email', type: 'email', required: true }],
  },
  headers: { 'Idempotency-Key': 'generated-form' },
})
const { form_id } = made.data
const submission = await api.formSubmit({
  ...strict,
  path: { form_id },
  body: { fields: { email: 'generated@example.com' } },
})
const { forms } = (await api.formList({ ...strict, query: { limit: 1 } })).data
const { contacts } = (
  await api.contactList({ ...strict, query: { q: 'generated@', email_consent: 'none' } })
).data

const subscription = await api.webhookSave({
  ...strict,
  body: { url: 'https://1.1.1.1/generated', events: ['form.submitted'] },
})
const path = { webhook_id: subscription.data.webhook_id }
const rotated = await api.webhookRotate({ ...strict, path, body: { grace_period_seconds: 60 } })
const { webhooks } = (await api.webhookList(strict)).data
const { failed } = (await api.webhookFailed({ ...strict, path })).data

const refused = await api.formGet({ path: { form_id: `frm_${'0'.repeat(26)}` } })
process.stdout.write(
  JSON.stringify({
    contactIds: [saved.data.contact_id, submission.data.contact_id, contacts[0]?.contact_id],
    counted: forms.find((form) => form.form_id === form_id)?.submission_count,
    secrets: [subscription.data.signing_secret, rotated.data.signing_secret],
    webhooks: webhooks.map((webhook) => webhook.url),
    failed: failed.map(({ event_id, last_error }) => [event_id, last_error.code]),
    refusal: [refused.response?.status, refused.error?.code, refused.error?.field],
  }),
)

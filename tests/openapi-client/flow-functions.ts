/**
 * The same program with another generator's client, which has one function for each operation in
 * `functions.ts`. It imports nothing of ours.
 */
import * as api from './functions.ts'

const [baseUrl = '', token = ''] = process.argv.slice(2)
api.defaults.baseUrl = baseUrl
api.defaults.headers = { authorization: `Bearer ${token}` }

const saved = await api.contactUpsert({
  email: 'generated@example.com',
  name: 'Generated',
  tags: ['client'],
})
const { form_id } = await api.formSave(
  {
    name: 'Generated',
    status: 'published',
    fields: [{ key: 'email', label: 'Email', type: 'email', required: true }],
  },
  { idempotencyKey: 'generated-form' },
)
const submission = await api.formSubmit(form_id, { fields: { email: 'generated@example.com' } })
const { forms } = await api.formList()
const { contacts } = await api.contactList({ q: 'generated@', emailConsent: 'none' })

const subscription = await api.webhookSave({
  url: 'https://1.1.1.1/generated',
  events: ['form.submitted'],
})
const rotated = await api.webhookRotate(subscription.webhook_id, { grace_period_seconds: 60 })
const { webhooks } = await api.webhookList()
const { failed } = await api.webhookFailed(subscription.webhook_id)

const refused = await api.formGet(`frm_${'0'.repeat(26)}`).then(
  () => undefined,
  (error: { status: number; data: api.Error }) => error,
)
process.stdout.write(
  JSON.stringify({
    contactIds: [saved.contact_id, submission.contact_id, contacts[0]?.contact_id],
    counted: forms.find((form) => form.form_id === form_id)?.submission_count,
    secrets: [subscription.signing_secret, rotated.signing_secret],
    webhooks: webhooks.map((webhook) => webhook.url),
    failed: failed.map(({ event_id, last_error }) => [event_id, last_error.code]),
    refusal: [refused?.status, refused?.data.code, refused?.data.field],
  }),
)

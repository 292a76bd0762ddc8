/**
 * A third party's program with the client that a public generator made from the document. It is
 * compiled and run beside that client's types, `api.d.ts`, and imports nothing of ours.
 */
import createClient from 'openapi-fetch'
import type { paths } from './api.d.ts'

const [baseUrl = '', token = ''] = process.argv.slice(2)
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } })

/** Returns the call's answer; a refusal ends the program. */
async function dataOf<T>(call: Promise<{ data?: T; error?: { code: string; message: string } }>) {
  const { data, error } = await call
  if (error) throw new Error(`${error.code}: ${error.message}`)
  return data as T
}

const saved = await dataOf(
  client.PUT('/v1/contacts', {
    body: { email: 'generated@example.com', name: 'Generated', tags: ['client'] },
  }),
)
const made = await dataOf(
  client.POST('/v1/forms', {
    body: {
      name: 'Generated',
      status: 'published',
      fields: [{ key: 'email', label: 'Email', type: 'email', required: true }],
    },
    params: { header: { 'Idempotency-Key': 'generated-form' } },
  }),
)
const { form_id } = made
const submission = await dataOf(
  client.POST('/v1/forms/{form_id}/submissions', {
    params: { path: { form_id } },
    body: { fields: { email: 'generated@example.com' } },
  }),
)
const { forms } = await dataOf(client.GET('/v1/forms', { params: { query: { limit: 1 } } }))
const { contacts } = await dataOf(
  client.GET('/v1/contacts', { params: { query: { q: 'generated@', email_consent: 'none' } } }),
)

const subscription = await dataOf(
  client.POST('/v1/webhooks', {
    body: { url: 'https://1.1.1.1/generated', events: ['form.submitted'] },
  }),
)
const { webhook_id } = subscription
const rotated = await dataOf(
  client.PATCH('/v1/webhooks/{webhook_id}/rotate', {
    params: { path: { webhook_id } },
    body: { grace_period_seconds: 60 },
  }),
)
const { webhooks } = await dataOf(client.GET('/v1/webhooks'))
const { failed } = await dataOf(
  client.GET('/v1/webhooks/{webhook_id}/failed', { params: { path: { webhook_id } } }),
)

const refused = await client.GET('/v1/forms/{form_id}', {
  params: { path: { form_id: `frm_${'0'.repeat(26)}` } },
})
process.stdout.write(
  JSON.stringify({
    contactIds: [saved.contact_id, submission.contact_id, contacts[0]?.contact_id],
    counted: forms.find((form) => form.form_id === form_id)?.submission_count,
    secrets: [subscription.signing_secret, rotated.signing_secret],
    webhooks: webhooks.map((webhook) => webhook.url),
    failed: failed.map(({ event_id, last_error }) => [event_id, last_error.code]),
    refusal: [refused.response.status, refused.error?.code, refused.error?.field],
  }),
)

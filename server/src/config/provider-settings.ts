/** The settings of `providers.ts` by name. */
import type { Setting } from './setting.ts'

export const providerSettings: Setting[] = [
  {
    name: 'PROVIDER_SECRET',
    default: 'off',
    meaning: 'Secret that signs requests to /hooks/email/generic.',
  },
  {
    name: 'SES_TOPICS',
    default: 'off',
    meaning: 'ARNs of the SNS topics that deliver SES notifications.',
  },
  { name: 'SENDGRID_KEY', default: 'off', meaning: "Verification key of SendGrid's webhook." },
  { name: 'MAILGUN_KEY', default: 'off', meaning: "Mailgun's HTTP webhook signing key." },
  { name: 'RESEND_KEY', default: 'off', meaning: "Signing secret of Resend's webhook, whsec_…." },
  {
    name: 'POSTMARK_LOGIN',
    default: 'off',
    meaning: "USER:PASSWORD in the URL of Postmark's webhook, at /hooks/email/postmark.",
  },
  {
    name: 'BREVO_LOGIN',
    default: 'off',
    meaning: "USER:PASSWORD in the URL of Brevo's webhook, at /hooks/email/brevo.",
  },
  {
    name: 'MAILJET_LOGIN',
    default: 'off',
    meaning: "USER:PASSWORD in the URL of Mailjet's webhook, at /hooks/email/mailjet.",
  },
]

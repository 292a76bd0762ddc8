/** The contents of one business of the demo. */
import type { Crowd } from './people.ts'

export interface Story {
  name: string
  settings: Record<string, unknown>
  brand: DemoBrand
  crowd: Crowd
  topics: { topic: string; name: string; description: string }[]
  segments: { name: string; filter: object }[]
  forms: DemoForm[]
  templates: { name: string; subject: string; blocks: object[] }[]
  webhooks: { url: string; description: string; events: string[]; health: WebhookHealth }[]
  domain: string
  campaigns: DemoCampaign[]
  automations: DemoAutomation[]
  /** Inputs of `feed.save`: drafts, since no blog is behind them. */
  feeds: object[]
  /** Mails of an ordinary day, not counting campaigns. */
  mailsPerDay: number
}

/** A picture of the demo, which is drawn when the demo is made. */
export interface DemoPicture {
  svg: string
  alt: string
}

export interface DemoBrand {
  logo?: { svg: string; link: string; width: number }
  pictures: Record<string, DemoPicture>
  /** What `brand.set` takes beside the logo. */
  set: Record<string, unknown>
}

export interface DemoForm {
  name: string
  status: 'published' | 'draft' | 'archived'
  fields: object[]
  tags?: string[]
  /** Answers besides the address and the name, by submission; as many as there are submissions. */
  submissions: number
  answers?: Record<string, readonly string[]>
}

export type WebhookHealth = 'healthy' | 'failing' | 'paused'

export interface DemoCampaign {
  name: string
  subject: string
  heading: string
  text: string
  button: string
  /** One of the brand's. */
  picture?: string
  fate: 'draft' | 'scheduled' | 'awaiting_approval' | 'sending' | 'paused' | 'cancelled' | 'sent'
  /** For a campaign that was sent: how many days ago. */
  daysAgo?: number
  /** People per thousand who open and who click. */
  opens?: number
  clicks?: number
}

export interface DemoAutomation {
  /** The key in `sequence.gallery`. */
  gallery: string
  name: string
  slots?: Record<string, string>
  /** One that welcomes has run for weeks. */
  fate: 'draft' | 'running' | 'welcoming'
}

export const email = { key: 'email', label: 'Email', type: 'email', required: true }
export const name = { key: 'name', label: 'Name', type: 'text' }
export const newsletter = {
  key: 'news',
  label: 'Yes, send me the newsletter. I can leave at any time.',
  type: 'consent',
}

/** The content of a campaign as campaign.generate accepts it; `pictures` has the addresses by their names. */
export function contentOf(
  { subject, heading, text, button, picture }: DemoCampaign,
  { site, pictures }: { site: string; pictures: Record<string, { src: string; alt: string }> },
) {
  const shown = picture === undefined ? undefined : pictures[picture]
  const blocks = [
    { type: 'heading', text: heading },
    ...(shown ? [{ type: 'image', ...shown }] : []),
    { type: 'text', text: `Hello {{ contact.name | default: "there" }},\n\n${text}` },
    { type: 'button', text: button, url: `${site}/read` },
    { type: 'divider' },
    { type: 'text', text: `**In the shop this week:** [new arrivals](${site}/shop).` },
  ]
  return { subject, preheader: text.split('.', 1)[0], blocks }
}

/** A business with something to announce, and the answers that a model might give. */
import type { Surroundings } from 'crier-server/campaigns/writer/copy.ts'

export const shop: Surroundings = {
  business: { name: 'Brindlequay & Co', language: 'en' },
  sender: 'Ana at Brindlequay',
  tags: ['vip', 'wholesale', 'porto'],
}

export const menu = 'https://shop.example/menu'

export const brief = {
  goal: 'Announce our spring menu, from 3 March',
  facts: ['Three new cakes', 'Open on Sundays'],
  links: [menu],
  audience: 'our VIPs',
}

/** A valid answer. */
export function goodAnswer(changes: Record<string, unknown> = {}) {
  return {
    subject: 'The spring menu is here',
    preheader: 'Three new cakes from 3 March',
    headline: 'Spring tastes like this',
    greeting: 'Hi',
    sections: [
      {
        heading: '',
        paragraphs: ['From 3 March three new cakes wait for you.'],
        points: ['Open on Sundays'],
        link: menu,
        label: 'See the menu',
      },
    ],
    closing: 'Warm regards,',
    sms: 'Our spring menu is here from 3 March: three new cakes.',
    tags: ['vip'],
    ...changes,
  }
}

export function section(changes: Record<string, unknown> = {}) {
  return { heading: '', paragraphs: ['A word.'], points: [], link: '', label: '', ...changes }
}

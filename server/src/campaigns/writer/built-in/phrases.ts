/** The phrases that the built-in writer puts around a brief's words, by the campaign's purpose. */
import type { GoalKind } from '../brief.ts'

interface Phrases {
  /** Composed of the topic and the business's name. */
  subject(topic: string, business: string): string
  headline(topic: string, business: string): string
  /** The first sentence of the mail. It makes no claim that the brief does not make. */
  opening(business: string): string
  /** The heading above the facts of the brief. */
  facts: string
  /** The label of the button. */
  button: string
}

export interface Tone {
  greeting: string
  namelessGreeting?: string
  closing: string
  kinds: Record<GoalKind, Phrases>
}

const topicAlone = (topic: string) => topic
const withTopic = { subject: topicAlone, headline: topicAlone }
const named = (topic: string, business: string) =>
  topic.includes(business) ? topic : `${business}: ${topic}`

const warm: Tone = {
  greeting: 'Hi',
  closing: 'Warm regards,',
  kinds: {
    announcement: {
      ...withTopic,
      opening: (business) => `Here is what is new at ${business}.`,
      facts: 'What to know',
      button: 'Find out more',
    },
    offer: {
      ...withTopic,
      opening: (business) => `Here is an offer from ${business}.`,
      facts: 'How it works',
      button: 'See the offer',
    },
    event: {
      ...withTopic,
      subject: (topic) => `You are invited: ${topic}`,
      opening: (business) => `${business} invites you.`,
      facts: 'The details',
      button: 'See the details',
    },
    newsletter: {
      ...withTopic,
      subject: named,
      opening: (business) => `Here is the news from ${business}.`,
      facts: 'In short',
      button: 'Read more',
    },
    reengagement: {
      ...withTopic,
      opening: (business) => `Here is a short note from ${business}.`,
      facts: 'What is new',
      button: 'Have a look',
    },
    welcome: {
      subject: (_topic, business) => `Welcome to ${business}`,
      headline: (_topic, business) => `Welcome to ${business}`,
      opening: () => 'It is good to have you here.',
      facts: 'Good to know',
      button: 'Get started',
    },
  },
}

const formal: Tone = {
  greeting: 'Dear',
  namelessGreeting: 'Dear reader',
  closing: 'Kind regards,',
  kinds: {
    announcement: {
      ...warm.kinds.announcement,
      opening: (business) => `${business} would like to inform you of the following.`,
      facts: 'Details',
      button: 'Read more',
    },
    offer: {
      ...warm.kinds.offer,
      opening: (business) => `${business} is pleased to offer you the following.`,
      facts: 'Terms',
      button: 'View the offer',
    },
    event: {
      ...warm.kinds.event,
      subject: (topic) => `Invitation: ${topic}`,
      opening: (business) => `${business} requests the pleasure of your company.`,
      facts: 'Details',
      button: 'View the details',
    },
    newsletter: {
      ...warm.kinds.newsletter,
      opening: (business) => `Please find below the news from ${business}.`,
      facts: 'Summary',
    },
    reengagement: {
      ...warm.kinds.reengagement,
      opening: (business) => `${business} would like to tell you the following.`,
      facts: 'Details',
      button: 'View',
    },
    welcome: {
      ...warm.kinds.welcome,
      opening: (business) => `${business} welcomes you.`,
      facts: 'Details',
    },
  },
}

const playful: Tone = {
  greeting: 'Hey',
  closing: 'See you soon,',
  kinds: {
    ...warm.kinds,
    announcement: {
      ...warm.kinds.announcement,
      opening: () => 'Guess what?',
      facts: 'The good bits',
      button: 'Show me',
    },
    offer: {
      ...warm.kinds.offer,
      opening: () => 'Here comes a little something.',
      button: 'Show me',
    },
    event: { ...warm.kinds.event, opening: () => 'Got plans? Here is one.' },
  },
}

/** A brief describes the tone in its own words. The default is warm. */
export function toneOf(words: string): Tone {
  if (
    /\b(?:formal|professional|serious|official|business-?like|corporate|respectful|polite)\b/i.test(
      words,
    )
  ) {
    return /\b(?:informal|not (?:too )?formal)\b/i.test(words) ? warm : formal
  }
  return /\b(?:playful|fun|funny|cheeky|humorous|witty|casual|quirky|light-?hearted)\b/i.test(words)
    ? playful
    : warm
}

/** What the built-in writer says around a brief's own words, by what the campaign is for. */
import type { GoalKind } from '../brief.ts'

interface Phrases {
  /** Of the topic and the business's name. */
  subject(topic: string, business: string): string
  headline(topic: string, business: string): string
  /** The first words of the mail; where they end in a colon the topic follows. */
  opening(business: string): string
  /** Above the facts of the brief. */
  facts: string
  /** What the button says. */
  button: string
  /** The last sentence, above the closing. */
  ending(business: string): string
}

export interface Tone {
  greeting: string
  namelessGreeting?: string
  closing: string
  kinds: Record<GoalKind, Phrases>
}

const topicAlone = (topic: string) => topic

const warm: Tone = {
  greeting: 'Hi',
  closing: 'Warm regards,',
  kinds: {
    announcement: {
      subject: topicAlone,
      headline: topicAlone,
      opening: (business) =>
        `There is something new at ${business}, and we wanted you to hear it from us:`,
      facts: 'What to know',
      button: 'Find out more',
      ending: () => 'If you have a question, just reply to this mail.',
    },
    offer: {
      subject: topicAlone,
      headline: topicAlone,
      opening: () => 'Here is something for you:',
      facts: 'How it works',
      button: 'Get the offer',
      ending: (business) => `Thank you for being with ${business}.`,
    },
    event: {
      subject: (topic) => `You are invited: ${topic}`,
      headline: topicAlone,
      opening: () => 'We would love to see you there:',
      facts: 'The details',
      button: 'Save your place',
      ending: () => 'If you would like to bring somebody, forward this mail to them.',
    },
    newsletter: {
      subject: (topic, business) => (topic.includes(business) ? topic : `${business}: ${topic}`),
      headline: topicAlone,
      opening: (business) => `Here is the latest from ${business}:`,
      facts: 'In short',
      button: 'Read more',
      ending: () => 'Tell us what you would like to read next: reply to this mail.',
    },
    reengagement: {
      subject: (_topic, business) => `Do you still want to hear from ${business}?`,
      headline: () => 'It has been a while',
      opening: (business) =>
        `We have not heard from you for some time, so here is a short note from ${business}:`,
      facts: 'What is new',
      button: 'Have a look',
      ending: () =>
        'If our mail is no longer of use to you, leave the list with the link below: no hard feelings.',
    },
    welcome: {
      subject: (_topic, business) => `Welcome to ${business}`,
      headline: (_topic, business) => `Welcome to ${business}`,
      opening: () => 'Thank you for joining us. It is good to have you here.',
      facts: 'Good to know',
      button: 'Get started',
      ending: () => 'If you have a question, just reply to this mail: a person reads it.',
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
      opening: (business) => `${business} would like to inform you:`,
      facts: 'Details',
      button: 'Read more',
      ending: () => 'Should you have any questions, please reply to this message.',
    },
    offer: {
      ...warm.kinds.offer,
      opening: (business) => `${business} is pleased to offer you the following:`,
      facts: 'Terms',
      button: 'View the offer',
      ending: () => 'We thank you for your custom.',
    },
    event: {
      ...warm.kinds.event,
      subject: (topic) => `Invitation: ${topic}`,
      opening: (business) => `${business} requests the pleasure of your company:`,
      facts: 'Details',
      button: 'Register',
      ending: () => 'We look forward to welcoming you.',
    },
    newsletter: {
      ...warm.kinds.newsletter,
      opening: (business) => `Please find below the latest from ${business}:`,
      facts: 'Summary',
      ending: () => 'We welcome your comments in reply to this message.',
    },
    reengagement: {
      ...warm.kinds.reengagement,
      opening: (business) =>
        `As some time has passed since you last heard from ${business}, we would like to tell you:`,
      facts: 'Recent changes',
      button: 'View',
      ending: () => 'Should you no longer wish to receive our messages, please use the link below.',
    },
    welcome: {
      ...warm.kinds.welcome,
      opening: () => 'Thank you for joining us.',
      facts: 'Details',
      ending: () => 'Should you have any questions, please reply to this message.',
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
      opening: () => 'We have been itching to tell you:',
      facts: 'The good bits',
      button: 'Show me',
    },
    offer: {
      ...warm.kinds.offer,
      opening: () => 'A little treat, just for you:',
      button: 'Yes please',
    },
    event: { ...warm.kinds.event, opening: () => 'Got plans? You do now:', button: 'Count me in' },
    reengagement: { ...warm.kinds.reengagement, headline: () => 'Remember us?' },
  },
}

/** A brief says the tone in its own words; what it does not say is warm. */
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

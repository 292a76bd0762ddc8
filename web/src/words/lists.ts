import * as english from './en/lists.ts'
import { texts } from './texts.ts'

export const messageWords = texts(english.messages, {
  de: async () => (await import('./de/lists.ts')).messages,
})

export const replyWords = texts(english.replies, {
  de: async () => (await import('./de/lists.ts')).replies,
})

export const segmentWords = texts(english.segments, {
  de: async () => (await import('./de/lists.ts')).segments,
})

export const templateWords = texts(english.templates, {
  de: async () => (await import('./de/lists.ts')).templates,
})

export const usageWords = texts(english.usage, {
  de: async () => (await import('./de/lists.ts')).usage,
})

export const webhookWords = texts(english.webhooks, {
  de: async () => (await import('./de/lists.ts')).webhooks,
})

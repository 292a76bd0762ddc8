import * as english from './en/lists.ts'
import { texts } from './texts.ts'

export const messageWords = texts(english.messages, {
  de: async () => (await import('./de/lists.ts')).messages,
  fr: async () => (await import('./fr/lists.ts')).messages,
})

export const replyWords = texts(english.replies, {
  de: async () => (await import('./de/lists.ts')).replies,
  fr: async () => (await import('./fr/lists.ts')).replies,
})

export const segmentWords = texts(english.segments, {
  de: async () => (await import('./de/lists.ts')).segments,
  fr: async () => (await import('./fr/lists.ts')).segments,
})

export const topicWords = texts(english.topics, {
  de: async () => (await import('./de/lists.ts')).topics,
  fr: async () => (await import('./fr/lists.ts')).topics,
})

export const templateWords = texts(english.templates, {
  de: async () => (await import('./de/lists.ts')).templates,
  fr: async () => (await import('./fr/lists.ts')).templates,
})

export const usageWords = texts(english.usage, {
  de: async () => (await import('./de/lists.ts')).usage,
  fr: async () => (await import('./fr/lists.ts')).usage,
})

export const webhookWords = texts(english.webhooks, {
  de: async () => (await import('./de/lists.ts')).webhooks,
  fr: async () => (await import('./fr/lists.ts')).webhooks,
})

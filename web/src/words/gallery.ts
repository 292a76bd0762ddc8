import { gallery as english } from './en/gallery.ts'
import { texts } from './texts.ts'

export const galleryWords = texts(english, {
  de: async () => (await import('./de/gallery.ts')).gallery,
  fr: async () => (await import('./fr/gallery.ts')).gallery,
})

import { pastVolume as english } from './en/past-volume.ts'
import { texts } from './texts.ts'

export const pastVolumeWords = texts(english, {
  de: async () => (await import('./de/past-volume.ts')).pastVolume,
  fr: async () => (await import('./fr/past-volume.ts')).pastVolume,
})

/** The texts about what a domain sent before, loaded with its warm-up in both languages. */

import { pastVolume as german } from './de/past-volume.ts'
import { pastVolume as english } from './en/past-volume.ts'
import { language } from './words.ts'

export const pastVolumeWords = (): typeof english => (language === 'de' ? german : english)

/** The texts about what a domain sent before, loaded with its warm-up in both languages. */

import { language } from '../words.ts'
import { pastVolume as english } from './english.ts'
import { pastVolume as german } from './german.ts'

export const pastVolumeWords = (): typeof english => (language === 'de' ? german : english)

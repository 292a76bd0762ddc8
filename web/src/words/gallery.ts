/** The words of the gallery, which load with it, in both languages. */
import { gallery as german } from './de/gallery.ts'
import { gallery as english } from './en/gallery.ts'
import { language } from './words.ts'

export const galleryWords = (): typeof english => (language === 'de' ? german : english)

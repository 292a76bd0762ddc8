import type { Words } from '../words.ts'
import { campaigns } from './campaigns.ts'
import { contacts } from './contacts.ts'
import { filters } from './filters.ts'
import { home } from './home.ts'
import { shell } from './shell.ts'

export const de: Words = { ...shell, home, contacts, campaigns, filters }

import type { utm as english } from '../en/utm.ts'

export const utm: typeof english = {
  title: 'Links in Ihrer Webanalyse (UTM)',
  about: 'Werte an den Links, an denen Ihre Webanalyse erkennt, wer durch eine Kampagne kam.',
  fields: {
    source: 'Quelle',
    medium: 'Medium',
    campaign: 'Kampagne',
    term: 'Begriff',
    content: 'Inhalt',
  },
  sourceHint: 'Zum Beispiel newsletter. Leer: Links bleiben, wie sie sind.',
  campaignHint: 'Leer: der Name der Kampagne.',
  ways: {
    business: 'Die Werte des Unternehmens',
    own: 'Werte dieser Kampagne',
    none: 'Keine',
  },
  save: 'Werte speichern',
  saved: 'Links bekommen diese Werte',
  preview: 'Ein Link ist dann',
  unset: 'Das Unternehmen hat keine gesetzt, also bleiben Links, wie sie sind.',
}

import type { foreignMail as english } from '../en/foreign-mail.ts'

const blocks = (count: number) => (count === 1 ? '1 Block' : `${count} Blöcke`)

export const foreignMail: typeof english = {
  about:
    'Fügen Sie das HTML oder MJML einer E-Mail ein oder wählen Sie ihre Datei: einen Export aus Mailchimp, Klaviyo, Brevo oder einem anderen Programm. Daraus werden Blöcke, die Sie bearbeiten können.',
  paste: 'HTML oder MJML',
  choose: 'Datei wählen',
  convert: 'In Blöcke umwandeln',
  before: 'Vorher',
  after: 'Als Blöcke',
  pictures:
    'Bilder von anderen Websites werden hier nicht geladen. Sie bleiben, wo sie sind: Laden Sie eigene Kopien hoch, bevor Sie das alte Konto schließen.',
  use: 'Diese Blöcke übernehmen',
  back: 'HTML ändern',
  notes: 'Bitte ansehen',
  allFine: 'Alles wurde zu Blöcken.',
  keptAsHtml: (count) =>
    count === 1
      ? '1 Teil bleibt HTML, weil ihm kein Block entspricht.'
      : `${count} Teile bleiben HTML, weil ihnen kein Block entspricht.`,
  removed: (count) =>
    count === 1
      ? '1 Formular, Skript, Video oder Rahmen wurde entfernt: Kein Mailprogramm zeigt so etwas an.'
      : `${count} Formulare, Skripte, Videos oder Rahmen wurden entfernt: Kein Mailprogramm zeigt so etwas an.`,
  picturesLost: (count) =>
    count === 1
      ? '1 Bild hat keine vollständige Adresse und fehlt deshalb: Laden Sie es hoch.'
      : `${count} Bilder haben keine vollständige Adresse und fehlen deshalb: Laden Sie sie hoch.`,
  blocksLost: (count) =>
    count === 1
      ? `${blocks(count)} am Ende passte nicht in eine einzige E-Mail.`
      : `${blocks(count)} am Ende passten nicht in eine einzige E-Mail.`,
  unknown:
    'Diese Felder gibt es hier nicht. An ihrer Stelle steht jetzt eine Lücke, die Sie vor dem Versand füllen oder löschen:',
  known: (count) =>
    count === 1
      ? '1 Feld wurde zu einem Ihrer Felder.'
      : `${count} Felder wurden zu Ihren Feldern.`,
}

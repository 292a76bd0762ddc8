import { type GalleryMail, optionalSlot, panel, sender } from '../mail.ts'

/** The recipient answers on the page of preferences, which records the consent. */
export const rePermission: GalleryMail = {
  key: 're-permission',
  purpose: 're-permission',
  kind: 'marketing',
  slots: [
    optionalSlot('deadline', 'date', ['Answer by', 'Antwort bis', 'Répondre jusqu’au']),
    optionalSlot('what', 'text', ['What you send', 'Was Sie verschicken', 'Ce que vous envoyez']),
    sender,
  ],
  words: {
    en: {
      title: 'Still interested?',
      about: 'Asks people on an old list whether they want to stay.',
      subject: 'Do you still want to hear from us?',
      preview_text: 'Yes or no, you decide.',
      blocks: [
        { type: 'heading', text: 'Stay in touch?' },
        {
          type: 'text',
          text: 'You’re on the mailing list of {{ business.name }}, and have been for a good while. Before we write again, we’d like your permission.',
        },
        { type: 'button', text: 'Yes, keep me on the list', url: '{{ preferences_url }}' },
        {
          type: 'columns',
          ...panel,
          columns: [
            [{ type: 'text', text: '**Yes**\nChoose what you’d like to get, and save.' }],
            [{ type: 'text', text: '**No**\nDo nothing, and you won’t get any more news.' }],
          ],
        },
        { type: 'spacer', height: 16 },
        { type: 'quote', text: '**What you’d get**\n[[what]]' },
        {
          type: 'list',
          items: ['Please decide by [[deadline]]: after that we delete your address.'],
        },
        { type: 'text', text: 'Thank you, whatever you choose.' },
        { type: 'text', text: '[[sender]]' },
      ],
    },
    de: {
      title: 'Weiterhin Interesse?',
      about: 'Fragt alte Kontakte, ob sie weiter Post möchten.',
      subject: 'Dürfen wir Ihnen weiter schreiben?',
      preview_text: 'Ja oder nein: Sie entscheiden.',
      blocks: [
        { type: 'heading', text: 'Bleiben wir in Kontakt?' },
        {
          type: 'text',
          text: 'Ihre Adresse steht seit Langem im Verteiler von {{ business.name }}. Bevor wir uns wieder melden, möchten wir Ihr Einverständnis einholen.',
        },
        { type: 'button', text: 'Ja, ich bleibe dabei', url: '{{ preferences_url }}' },
        {
          type: 'columns',
          ...panel,
          columns: [
            [
              {
                type: 'text',
                text: '**Ja**\nWählen Sie, was Sie erhalten möchten, und speichern Sie.',
              },
            ],
            [
              {
                type: 'text',
                text: '**Nein**\nSie müssen nichts tun und erhalten keine Neuigkeiten mehr.',
              },
            ],
          ],
        },
        { type: 'spacer', height: 16 },
        { type: 'quote', text: '**Das bekommen Sie von uns**\n[[what]]' },
        {
          type: 'list',
          items: ['Bitte antworten Sie bis [[deadline]]: Danach löschen wir Ihre Adresse.'],
        },
        { type: 'text', text: 'Vielen Dank, wie auch immer Sie sich entscheiden.' },
        { type: 'text', text: '[[sender]]' },
      ],
    },
    fr: {
      title: 'Toujours intéressé ?',
      about: 'Demande aux anciens contacts s’ils souhaitent rester.',
      subject: 'Souhaitez-vous encore recevoir nos nouvelles ?',
      preview_text: 'Oui ou non, c’est vous qui décidez.',
      blocks: [
        { type: 'heading', text: 'On reste en contact ?' },
        {
          type: 'text',
          text: 'Votre adresse figure depuis longtemps dans la liste de {{ business.name }}. Avant de vous écrire à nouveau, nous voulons votre accord.',
        },
        { type: 'button', text: 'Oui, je reste', url: '{{ preferences_url }}' },
        {
          type: 'columns',
          ...panel,
          columns: [
            [
              {
                type: 'text',
                text: '**Oui**\nChoisissez ce qui vous intéresse, puis enregistrez.',
              },
            ],
            [{ type: 'text', text: '**Non**\nNe faites rien : nous ne vous écrirons plus.' }],
          ],
        },
        { type: 'spacer', height: 16 },
        { type: 'quote', text: '**Ce que vous recevrez**\n[[what]]' },
        {
          type: 'list',
          items: [
            'Merci de répondre d’ici au [[deadline]] : passé ce délai, nous effacerons votre adresse.',
          ],
        },
        { type: 'text', text: 'Merci, quel que soit votre choix.' },
        { type: 'text', text: '[[sender]]' },
      ],
    },
  },
}

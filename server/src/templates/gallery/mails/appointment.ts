import { type GalleryMail, optionalSlot, panel, requiredSlot } from '../mail.ts'

export const appointment: GalleryMail = {
  key: 'appointment',
  purpose: 'appointment',
  kind: 'transactional',
  slots: [
    requiredSlot('date', 'date', ['Date', 'Datum', 'Date']),
    requiredSlot('time', 'time', ['Time', 'Uhrzeit', 'Heure']),
    requiredSlot('place', 'place', ['Place', 'Ort', 'Lieu']),
    optionalSlot('what', 'name', ['What for', 'Wofür', 'Objet']),
    optionalSlot('change_url', 'url', [
      'Link to change it',
      'Link zum Ändern',
      'Lien pour modifier',
    ]),
    optionalSlot('bring', 'text', [
      'What to bring or to know',
      'Was mitzubringen oder zu beachten ist',
      'Ce qu’il faut apporter ou savoir',
    ]),
    optionalSlot('phone', 'phone', [
      'Phone to cancel',
      'Telefon zum Absagen',
      'Téléphone pour annuler',
    ]),
  ],
  words: {
    en: {
      title: 'Appointment reminder',
      about: 'When, where and what to bring.',
      subject: 'Your appointment: [[date]], [[time]]',
      preview_text: 'A short reminder, so that it doesn’t slip your mind.',
      blocks: [
        { type: 'text', text: '[A friendly reminder]{color=accent b}' },
        {
          type: 'columns',
          ...panel,
          columns: [
            [{ type: 'text', text: '**Date**\n[[date]]' }],
            [{ type: 'text', text: '**Time**\n[[time]]' }],
            [{ type: 'text', text: '**Place**\n[[place]]' }],
          ],
        },
        { type: 'divider' },
        { type: 'button', text: 'Change my appointment', url: '[[change_url]]' },
        { type: 'list', items: ['Your appointment: [[what]]'] },
        { type: 'list', items: ['Please note: [[bring]]'] },
        {
          type: 'text',
          text: 'Can’t make it? Please call [[phone]] so that somebody else can have the slot.',
        },
        { type: 'divider' },
        { type: 'text', text: 'We look forward to seeing you.\n{{ business.name }}' },
      ],
    },
    de: {
      title: 'Terminerinnerung',
      about: 'Wann, wo und was mitzubringen ist.',
      subject: 'Ihr Termin: [[date]], [[time]]',
      preview_text: 'Kurz zur Erinnerung, damit nichts dazwischenkommt.',
      blocks: [
        { type: 'text', text: '[Zur Erinnerung: Ihr Termin bei uns]{color=accent b}' },
        {
          type: 'columns',
          ...panel,
          columns: [
            [{ type: 'text', text: '**Datum**\n[[date]]' }],
            [{ type: 'text', text: '**Uhrzeit**\n[[time]]' }],
            [{ type: 'text', text: '**Ort**\n[[place]]' }],
          ],
        },
        { type: 'divider' },
        { type: 'button', text: 'Termin ändern', url: '[[change_url]]' },
        { type: 'list', items: ['Ihr Termin: [[what]]'] },
        { type: 'list', items: ['Bitte beachten: [[bring]]'] },
        {
          type: 'text',
          text: 'Sie sind verhindert? Bitte sagen Sie rechtzeitig ab unter [[phone]], damit wir den Termin weitergeben können.',
        },
        { type: 'divider' },
        { type: 'text', text: 'Wir freuen uns auf Sie.\n{{ business.name }}' },
      ],
    },
    fr: {
      title: 'Rappel de rendez-vous',
      about: 'Quand, où et ce qu’il faut apporter.',
      subject: 'Votre rendez-vous : [[date]], [[time]]',
      preview_text: 'Un petit rappel pour ne pas l’oublier.',
      blocks: [
        { type: 'text', text: '[Votre rendez-vous approche]{color=accent b}' },
        {
          type: 'columns',
          ...panel,
          columns: [
            [{ type: 'text', text: '**Date**\n[[date]]' }],
            [{ type: 'text', text: '**Heure**\n[[time]]' }],
            [{ type: 'text', text: '**Lieu**\n[[place]]' }],
          ],
        },
        { type: 'divider' },
        { type: 'button', text: 'Modifier le rendez-vous', url: '[[change_url]]' },
        { type: 'list', items: ['Objet : [[what]]'] },
        { type: 'list', items: ['À savoir : [[bring]]'] },
        {
          type: 'text',
          text: 'Un empêchement ? Prévenez-nous au [[phone]], le créneau profitera à quelqu’un d’autre.',
        },
        { type: 'divider' },
        { type: 'text', text: 'Au plaisir de vous recevoir.\n{{ business.name }}' },
      ],
    },
  },
}

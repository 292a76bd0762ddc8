import { type GalleryMail, requiredSlot } from '../mail.ts'

/** The link differs for each recipient: it is a variable of the call that sends the mail. */
export const passwordReset: GalleryMail = {
  key: 'password-reset',
  purpose: 'password-reset',
  kind: 'transactional',
  slots: [
    requiredSlot('valid', 'text', [
      'How long the link works, such as one hour',
      'Wie lange der Link gilt, z. B. eine Stunde',
      'Durée de validité du lien, par ex. une heure',
    ]),
  ],
  words: {
    en: {
      title: 'Password reset',
      about: 'A link to choose a new password.',
      subject: 'Reset your password',
      preview_text: 'Use the link in this email to choose a new one.',
      blocks: [
        {
          type: 'text',
          text: 'Somebody (we hope it was you) asked to reset the password for your {{ business.name }} account.',
        },
        { type: 'button', text: 'Choose a new password', url: '{{ reset_url }}' },
        { type: 'divider' },
        {
          type: 'quote',
          text: '**It wasn’t you?** Ignore this email, and your password stays the same. Never pass the link on to anybody.',
        },
        {
          type: 'list',
          items: [
            'The link works for [[valid]].',
            'If the button doesn’t work, copy this address into your browser:\n{{ reset_url }}',
          ],
        },
      ],
    },
    de: {
      title: 'Passwort zurücksetzen',
      about: 'Ein Link, um ein neues Passwort zu wählen.',
      subject: 'Passwort zurücksetzen',
      preview_text: 'Mit dem Link in dieser E-Mail wählen Sie ein neues.',
      blocks: [
        {
          type: 'text',
          text: 'Für Ihr Konto bei {{ business.name }} wurde ein neues Passwort angefordert. Mit einem Klick legen Sie es fest.',
        },
        { type: 'button', text: 'Neues Passwort wählen', url: '{{ reset_url }}' },
        { type: 'divider' },
        {
          type: 'quote',
          text: '**Sie waren das nicht?** Dann ignorieren Sie diese E-Mail, Ihr Passwort bleibt unverändert. Geben Sie den Link nicht weiter.',
        },
        {
          type: 'list',
          items: [
            'Der Link gilt [[valid]].',
            'Die Schaltfläche funktioniert nicht? Kopieren Sie diese Adresse in Ihren Browser:\n{{ reset_url }}',
          ],
        },
      ],
    },
    fr: {
      title: 'Mot de passe oublié',
      about: 'Un lien pour choisir un nouveau mot de passe.',
      subject: 'Réinitialisation de votre mot de passe',
      preview_text: 'Suivez le lien pour en choisir un nouveau.',
      blocks: [
        {
          type: 'text',
          text: 'Vous avez demandé à changer le mot de passe de votre compte {{ business.name }}. C’est par ici :',
        },
        { type: 'button', text: 'Choisir un mot de passe', url: '{{ reset_url }}' },
        { type: 'divider' },
        {
          type: 'quote',
          text: '**Ce n’était pas vous ?** Ignorez ce message : rien ne changera. Ne transmettez ce lien à personne.',
        },
        {
          type: 'list',
          items: [
            'Ce lien est valable [[valid]].',
            'Le bouton ne répond pas ? Copiez cette adresse dans votre navigateur :\n{{ reset_url }}',
          ],
        },
      ],
    },
  },
}

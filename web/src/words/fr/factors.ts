import type {
  address as englishAddress,
  companyAccounts as englishCompanyAccounts,
  confirm as englishConfirm,
  factors as englishFactors,
  ownership as englishOwnership,
  rules as englishRules,
} from '../en/factors.ts'

export const factors: typeof englishFactors = {
  title: 'Application d’authentification',
  about:
    'Une application sur votre téléphone affiche un nouveau code toutes les 30 secondes. Une fois configurée, la connexion par e-mail demande aussi un code.',
  required: (from) =>
    `Un second facteur est obligatoire à partir du ${from}. Ajoutez une clé d’accès ou configurez une application d’authentification.`,
  countsFrom: (when: string) =>
    `Ce facteur est nouveau : il compte à partir du ${when}. D’ici là, vous pouvez seulement consulter, sauf si un propriétaire le confirme sur la page « Membres ».`,
  setUp: 'Configurer',
  replace: 'Remplacer',
  setUpTitle: 'Configurer une application d’authentification',
  scan: 'Scannez ce code avec votre application d’authentification, puis saisissez les six chiffres affichés.',
  qr: 'QR code pour votre application d’authentification',
  orType: 'Pas d’appareil photo ? Saisissez cette clé dans l’application :',
  firstCode: 'Code de l’application',
  add: 'Ajouter l’application',
  wasAdded: 'Application d’authentification ajoutée',
  added: (when) => `Ajoutée ${when}`,
  used: (when) => `dernière utilisation ${when}`,
  remove: 'Supprimer l’application',
  removeTitle: 'Supprimer l’application d’authentification ?',
  removeText: 'Ses codes ne fonctionneront plus. Supprimez aussi l’entrée dans l’application.',
  removed: 'Application d’authentification supprimée',
  codesLeft: (left) =>
    left === 1 ? 'Il reste un code de récupération' : `Codes de récupération restants : ${left}`,
  newCodes: 'Créer de nouveaux codes',
  newCodesTitle: 'Créer de nouveaux codes de récupération ?',
  newCodesText: 'Vos codes actuels ne fonctionneront plus.',
  codesTitle: 'Vos codes de récupération',
  codesText:
    'Gardez ces codes là où vous les trouverez sans votre téléphone. Chacun remplace une fois votre second facteur. Ils ne seront plus affichés.',
  copyCodes: 'Copier les codes',
  saved: 'Je les ai enregistrés',
}

export const confirm: typeof englishConfirm = {
  title: 'Confirmez que c’est bien vous',
  text: 'Cette action demande votre second facteur. Elle reprend juste après.',
  none: 'Un second facteur est demandé ici, et vous n’en avez pas encore. Configurez-en un, puis réessayez.',
  code: 'Code de votre application d’authentification',
  codeHint: 'Sans votre téléphone, saisissez un code de récupération.',
  recoveryCode: 'Code de récupération',
  recoveryHint: 'Seulement si vous n’avez pas votre clé d’accès.',
  byPasskey: 'Utiliser la clé d’accès',
  confirm: 'Confirmer',
  setUp: 'En configurer un',
}

export const rules: typeof englishRules = {
  title: 'Second facteur',
  about:
    'Une clé d’accès ou une application d’authentification en plus de la messagerie, pour que personne n’agisse à la place d’un membre en lisant ses e-mails.',
  required: 'Les membres ont besoin d’un second facteur',
  fresh: 'Le redemander avant les actions importantes',
  freshHint:
    'Approbations, clés API, exports, levée d’exclusions, hausse de limites et gestion des membres, chaque fois dans les 5 minutes qui suivent la confirmation.',
  days: 'Jours avant l’obligation',
  daysHint: 'Les membres sont prévenus par e-mail. D’ici là, ils peuvent en configurer un.',
  from: (when) => `Obligatoire à partir du ${when}`,
  byOperator: 'L’opérateur de ce service l’exige de tout le monde.',
  saved: 'Enregistré',
  asksFresh: 'Les actions importantes le redemandent.',
  off: 'Non exigé.',
  change: 'Modifier',
  has: 'Second facteur configuré',
  hasNone: 'Aucun second facteur',
  signedIn: (when) => `dernière connexion ${when}`,
  ways: {
    mail: 'par e-mail',
    passkey: 'avec une clé d’accès',
    code: 'par e-mail et code',
    recovery_code: 'avec un code de récupération',
    company: 'par l’entreprise',
  },
  reset: 'Réinitialiser le second facteur',
  resetTitle: (email) => `Réinitialiser le second facteur de ${email} ?`,
  resetText:
    'Pour un membre qui a perdu téléphone, clés d’accès et codes de récupération. Vous recevez tous deux un e-mail. La réinitialisation a lieu après 24 heures, ou dès qu’un autre propriétaire confirme ; le membre peut l’empêcher.',
  resetAsked: 'Réinitialisation dans 24 heures, ou dès qu’un autre propriétaire confirme',
  resetDone: 'Second facteur réinitialisé',
  resetWaits: (when) => `Second facteur à réinitialiser le ${when}`,
  confirmReset: 'Confirmer la réinitialisation',
  confirmResetText:
    'Si un autre propriétaire l’a demandée, elle a lieu aussitôt : clés d’accès, application d’authentification et codes de récupération sont supprimés, et toutes les sessions prennent fin. Demandez d’abord au membre, en personne ou par téléphone. Si vous l’avez demandée vous-même, un autre propriétaire doit la confirmer.',
  newFactor: (when: string) => `Nouveau second facteur, compte à partir du ${when}`,
  accept: 'Confirmer le second facteur',
  acceptTitle: (email: string) => `Est-ce bien ${email} qui a configuré le second facteur ?`,
  acceptText:
    'Il a été configuré avec sa seule messagerie, et ne compte donc qu’après 24 heures. Demandez-lui en personne ou par téléphone, pas par e-mail. Dès que vous confirmez, il compte.',
  accepted: 'Second facteur confirmé',
  held: (when: string) => `Suspendu depuis le ${when}`,
  release: 'Laisser continuer ce membre',
  releaseTitle: (email: string) => `Laisser continuer ${email} ?`,
  releaseText:
    'La connexion d’entreprise ne confirme plus cette personne : elle n’entre plus ici, les appels de ses applications connectées et de ses clés API sont refusés, et ses webhooks attendent. Tout reprend de soi-même dès que la personne se connecte de nouveau par l’entreprise. Demandez-lui d’abord, ou à votre entreprise. Si elle est partie, reprenez à votre nom les clés dont des programmes ont besoin sur la page « Clés API », transmettez ses webhooks, puis retirez le membre.',
  released: 'Les applications, clés et webhooks de ce membre continuent',
  withdrawReset: 'Retirer la réinitialisation',
  withdrawn: 'Réinitialisation retirée',
  stopReset: 'Empêcher la réinitialisation',
  stopped: 'Réinitialisation empêchée',
}

export const address: typeof englishAddress = {
  title: 'Adresse',
  about:
    'Les deux messageries reçoivent un lien et confirment dans les 24 heures. Pendant 7 jours, l’ancienne peut annuler le changement.',
  signIn: (email) => `Vous vous connectez avec ${email}.`,
  pending: (email, when) =>
    `Un changement vers ${email} attend les deux messageries jusqu’au ${when}.`,
  waitsForOld: (email) => `${email} doit encore être confirmée depuis votre messagerie actuelle.`,
  waitsForNew: (email) => `La messagerie de ${email} doit encore confirmer.`,
  change: 'Changer d’adresse',
  newAddress: 'Nouvelle adresse e-mail',
  send: 'Envoyer les liens',
  sent: 'Consultez les deux messageries',
}

export const ownership: typeof englishOwnership = {
  transfer: 'Transférer la propriété',
  title: (email) => `Transférer la propriété à ${email} ?`,
  text: 'Le membre a 7 jours pour accepter. L’entreprise lui appartient alors, et vous devenez administrateur.',
  offer: 'Proposer la propriété',
  offered: 'Proposée. Le membre reçoit un e-mail.',
  toYou: (from) => `${from} vous propose la propriété de cette entreprise.`,
  byYou: (to) => `Vous avez proposé la propriété de cette entreprise à ${to}.`,
  accept: 'Accepter',
  decline: 'Refuser',
  withdraw: 'Retirer la proposition',
  accepted: 'Vous êtes maintenant propriétaire de cette entreprise',
  ended: 'Proposition terminée',
}

export const companyAccounts: typeof englishCompanyAccounts = {
  title: 'Comptes d’entreprise',
  linked: (when) => `Lié le ${when}`,
  used: (when) => `dernière utilisation ${when}`,
  unlink: 'Dissocier',
  unlinkTitle: (host) => `Dissocier le compte chez ${host} ?`,
  unlinkText:
    'Il ne vous connecte plus. Les autres navigateurs qu’il a connectés sont déconnectés. Vous pouvez vous connecter par e-mail ou avec une clé d’accès.',
  unlinked: 'Compte d’entreprise dissocié',
}

import type {
  recentCalls as englishCalls,
  connections as englishConnections,
  limits as englishLimits,
  passkeys as englishPasskeys,
  sessions as englishSessions,
} from '../en/account.ts'

export const connections: typeof englishConnections = {
  title: 'Connexions',
  about:
    'Les applications qui peuvent agir pour vous dans les entreprises auxquelles vous leur avez donné accès.',
  empty:
    'Aucune application connectée pour l’instant. Donnez cette adresse à un assistant : il vous renvoie ici pour approuver l’accès.',
  another: 'Pour connecter un autre assistant, donnez-lui cette adresse.',
  copyAddress: 'Copier l’adresse',
  unverified: 'Nom non vérifié',
  host: 'Redirige vers',
  may: 'Autorisations',
  always: 'Voir vos entreprises et leur consommation',
  readOnly: 'Lecture seule',
  onThisComputer: 'Fonctionne sur cet ordinateur',
  in: 'Dans',
  nowhere: 'plus aucune entreprise',
  connected: (when) => `connectée le ${when}`,
  used: (when) => `dernière utilisation ${when}`,
  neverUsed: 'jamais utilisée',
  lateReuse: (times, when) =>
    `Un ancien jeton a été utilisé après son remplacement (${times}, la dernière fois ${when}). L’application a peut-être gardé une vieille copie, ou quelqu’un d’autre en a une. En cas de doute, révoquez l’accès.`,
  codeReuse: (times, when) =>
    `Le code d’autorisation de cette connexion a été réutilisé (${times}, la dernière fois ${when}) et refusé. L’application l’a peut-être envoyé deux fois, ou quelqu’un d’autre l’a vu. En cas de doute, révoquez l’accès.`,
  times: (count) => (count === 1 ? 'une fois' : `${count} fois`),
  unnamed: 'Une application sans nom',
  lately: 'Appels récents',
  kept: 'Activité dans le journal d’audit',
  nothingLately:
    'Aucune activité dans le journal d’audit : ni envoi, ni import, ni export, ni changement de paramètres.',
  allInLog: 'Tout voir dans le journal d’audit',
  limit: 'Limiter',
  limitTitle: (name) => `Limiter ${name}`,
  limitText:
    'Prend effet au prochain appel de l’application. Pour rendre une entreprise que vous retirez ici, reconnectez l’application.',
  masked: 'Voit des adresses masquées',
  maskedHint:
    'Les assistants voient les adresses et les numéros sous la forme a…@example.com et +41…67.',
  takesOut: 'Peut sortir des données de Crier',
  takesOutHint:
    'Exporte des contacts, envoie des événements à de nouvelles adresses et retire des domaines d’expédition.',
  keeps: 'Garde l’accès à',
  limited: 'Limites enregistrées. Elles s’appliquent dès le prochain appel.',
  revoke: 'Révoquer',
  revokeTitle: (name) => `Révoquer l’accès de ${name} ?`,
  revokeText:
    'L’application perd l’accès immédiatement et n’est pas prévenue. Les webhooks qu’elle a créés sont mis en pause. Les messages déjà en file sont envoyés.',
  revokeDo: 'Révoquer l’accès',
  revoked: 'Accès révoqué',
  more: 'Afficher les connexions plus anciennes',
}

export const sessions: typeof englishSessions = {
  title: 'Sessions',
  about:
    'Les navigateurs où vous êtes connecté. Une session expire 30 jours après sa dernière utilisation, une session ouverte par votre entreprise après un jour au plus.',
  this: 'ce navigateur',
  unknown: 'Navigateur inconnu',
  on: (browser, system) => `${browser} sur ${system}`,
  since: (when) => `Connexion ${when}`,
  seen: (when) => `dernière activité ${when}`,
  from: 'depuis',
  end: 'Fermer la session',
  endTitle: (name) => `Fermer la session dans ${name} ?`,
  endText:
    'Ce navigateur est déconnecté immédiatement. Les modifications qui n’y ont pas été enregistrées ne le seront pas.',
  signOut: 'Se déconnecter',
  signOutTitle: 'Se déconnecter de ce navigateur ?',
  signOutText: 'Pour vous reconnecter, demandez un nouveau lien de connexion par e-mail.',
  ended: 'Session fermée',
  others: 'Fermer toutes les autres sessions',
  othersTitle: 'Fermer toutes les autres sessions ?',
  othersText: 'Tous les navigateurs sauf celui-ci sont déconnectés immédiatement.',
  othersEnded: (count) => (count === 1 ? 'Une session fermée' : `${count} sessions fermées`),
  alone: 'Vous n’êtes connecté nulle part ailleurs.',
}

export const passkeys: typeof englishPasskeys = {
  title: 'Clés d’accès',
  about:
    'Connectez-vous avec votre empreinte, votre visage ou un code plutôt qu’avec un lien par e-mail. Qui lit vos e-mails ne le peut pas.',
  oldBrowser: 'Ce navigateur est trop ancien pour les utiliser.',
  needHttps: 'Il leur faut une adresse en https, que cette installation n’a pas encore.',
  none: 'Vous n’avez pas encore de clé d’accès.',
  add: 'Ajouter une clé d’accès',
  addText: 'Votre navigateur va demander votre empreinte, votre visage ou votre code.',
  go: 'Continuer',
  name: 'Nom',
  nameHint: 'Pour savoir plus tard où elle se trouve, par exemple « Mon téléphone ».',
  added: (when) => `Ajoutée ${when}`,
  used: (when) => `dernière utilisation ${when}`,
  unused: 'pas encore utilisée',
  wasAdded: 'Clé d’accès ajoutée',
  rename: 'Renommer',
  renamed: 'Nom enregistré',
  remove: 'Supprimer',
  removeTitle: (name) => `Supprimer « ${name} » ?`,
  removeText:
    'Plus personne ne pourra se connecter avec elle. Supprimez-la aussi sur votre appareil, qui la propose encore.',
  removed: 'Clé d’accès supprimée',
  cancelled: 'Annulé. Continuez pour réessayer.',
  known: 'Cet appareil a déjà une clé d’accès à vous.',
}

/** Des connexions et des clés API. */
export const limits: typeof englishLimits = {
  readOnly: 'Accès en lecture seule',
  readOnlyHint: 'Tant que cette case est cochée, rien ne peut être modifié ni envoyé.',
  perDay: 'Destinataires par 24 heures',
  perDayHint:
    'Par entreprise. Laissez vide pour ne pas fixer de limite propre ; celles de l’entreprise s’appliquent toujours.',
  perDayOfKey: 'Les messages de tous types comptent.',
  used: (used, limit) => `${used} destinataires sur ${limit} en 24 heures`,
  none: 'aucune limite propre de destinataires',
  transactional: 'Destinataires transactionnels par 24 heures',
  transactionalHint:
    'Reçus, réinitialisations de mot de passe et messages semblables. Laissez vide pour ne pas limiter.',
  transactionalOfConnection:
    'Reçus, réinitialisations de mot de passe et messages semblables. Laissez vide pour ne pas limiter. Avec une limite de 100 ou moins, un même message part vers 50 personnes au plus.',
  transactionalUsed: (used, limit) => `${used} destinataires transactionnels sur ${limit}`,
  transactionalNone: 'aucune limite pour les messages transactionnels',
  signInAgain:
    'Pour autoriser davantage, reconnectez-vous d’abord. Votre connexion doit dater de moins de 15 minutes.',
}

export const recentCalls: typeof englishCalls = {
  title: 'Appels récents',
  none: 'Aucun appel ces 30 derniers jours. Les nouveaux appels apparaissent après quelques secondes.',
  done: 'réussi',
  failed: 'refusé',
  refused: (code) => (code === 'internal' ? 'erreur interne' : `refusé : ${code}`),
}

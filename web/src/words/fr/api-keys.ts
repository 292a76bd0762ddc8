import type { apiKeys as english } from '../en/api-keys.ts'

export const apiKeys: typeof english = {
  title: 'Clés API',
  add: 'Nouvelle clé',
  about:
    'Pour les programmes qui ne peuvent pas se connecter comme une personne. Une clé cesse de fonctionner quand le membre qui l’a créée s’en va.',
  empty:
    'Aucune clé API pour l’instant. Avec une clé, un script, une boutique ou une automatisation peut appeler Crier.',
  onlyAdmins:
    'Seuls les administrateurs et les propriétaires peuvent créer des clés API. Adressez-vous à l’un d’eux.',
  name: 'Nom',
  nameHint: 'Le programme qui utilisera la clé.',
  test: 'Clé de test : pour essayer du code. Elle n’atteint personne et aucune donnée réelle.',
  isTest: 'Clé de test',
  task: 'Tâche',
  taskHint: 'Définit les autorisations et le rôle nécessaires, et rien d’autre.',
  ownChoice: 'Choisir les autorisations soi-même',
  tasks: {
    send: 'Envoyer des reçus et des notifications',
    contacts: 'Tenir les contacts à jour',
    forms: 'Créer des formulaires et y répondre',
    read: 'Lire les contacts, les formulaires et les résultats',
  },
  may: 'Autorisations',
  scopes: {
    'meta:read': 'Voir cette entreprise et sa consommation',
    'audience:read': 'Voir les contacts et leurs réponses',
    'forms:read': 'Voir les formulaires',
    'audience:write': 'Ajouter, modifier et effacer des contacts',
    'forms:write': 'Créer et modifier des formulaires, et y répondre',
    'messaging:send': 'Envoyer des e-mails et des SMS à de vraies personnes',
    'provisioning:write':
      'Configurer les domaines et les webhooks, qui décident où vont les données',
  },
  role: 'Rôle',
  roleHint: 'Au plus votre propre rôle dans cette entreprise.',
  as: (role) => `Rôle : ${role}`,
  expires: 'Expire après',
  expiresHint: 'Laissez vide pour une clé qui n’expire pas.',
  recipients: 'Destinataires par 24 heures',
  networks: 'Réseaux autorisés',
  networksHint: 'Par exemple 203.0.113.0/24. Laissez vide pour autoriser tous les réseaux.',
  signInAgain:
    'Créer une clé demande une connexion de moins de 15 minutes. Votre saisie reste ici.',
  shownOnce: 'Votre nouvelle clé',
  copyNow: 'Copiez-la maintenant. Vous ne pourrez plus la voir.',
  maySend: (count) => `Elle peut envoyer à ${count} destinataires par 24 heures.`,
  limitText: 'Prend effet au prochain appel.',
  limited: 'Limites enregistrées. Elles s’appliquent dès le prochain appel.',
  inLog: 'Voir son activité dans le journal d’audit',
  isHeld: 'Suspendue',
  takeOver: 'Reprendre',
  takeOverTitle: (name: string) => `Reprendre ${name} à votre nom ?`,
  takeOverText:
    'La clé continue sous votre nom, même si celles de l’autre personne sont suspendues ou si elle est retirée. Rien ne change pour les programmes. L’autre personne peut en avoir gardé une copie : remplacez la clé par une nouvelle dès que possible.',
  takenOver: 'Clé API reprise',
  revoke: 'Révoquer la clé',
  revokeText: (name) =>
    `« ${name} » cesse immédiatement de fonctionner. Son prochain appel est refusé, et les webhooks qui en dépendent sont mis en pause.`,
  revoked: 'Clé API révoquée',
  dependent: (count) =>
    count === 1 ? 'Un webhook dépend de cette clé.' : `${count} webhooks dépendent de cette clé.`,
  dependentText:
    'Choisissez qui reprend chacun d’eux. Un webhook en pause garde ses événements 30 jours.',
  made: (when, by) => `créée ${when} par ${by}`,
  somebodyGone: 'une personne qui est partie',
  used: (when) => `Dernière utilisation ${when}`,
  neverUsed: 'Jamais utilisée',
  until: (when) => `expire le ${when}`,
  smtp: {
    title: 'Envoyer par SMTP',
    about:
      'Pour les boutiques, sites et appareils qui ne savent envoyer que des e-mails. Chaque e-mail soumis devient un message, avec les mêmes limites et événements que les autres.',
    host: 'Serveur',
    startTls: 'Port avec STARTTLS',
    tls: 'Port avec TLS',
    user: 'Identifiant',
    anyUser: 'Au choix',
    password: 'Mot de passe',
    aKey: 'Une clé API qui peut envoyer des e-mails',
  },
}

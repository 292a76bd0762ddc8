import type { stops as english } from '../en/stops.ts'

export const stops: typeof english = {
  title: 'Arrêter les envois',
  about:
    'Met en pause en quelques secondes toutes les campagnes et automatisations de cette entreprise. Rien n’est perdu, et vous pouvez reprendre à tout moment.',
  stopAll: 'Arrêter tous les envois',
  withMessages: 'Aussi les reçus et autres messages envoyés par les assistants et les clés API',
  withConnections: 'Arrêter aussi tous les assistants',
  stopped: (when) => `Tous les envois sont arrêtés depuis ${when}.`,
  stoppedWithMessages: (when) =>
    `Tous les envois, y compris les messages des assistants et des clés API, sont arrêtés depuis ${when}.`,
  resumeAll: 'Reprendre les envois',
  waitsForAdmin: 'Un administrateur ou un propriétaire les reprend.',
  toldStopped: (campaigns, automations) =>
    `Envois arrêtés : ${campaigns} ${campaigns === 1 ? 'campagne' : 'campagnes'} et ${automations} ${automations === 1 ? 'automatisation' : 'automatisations'} en pause`,
  toldResumed: 'Envois repris',
  assistants: 'Assistants dans cette entreprise',
  yours: 'à vous',
  stop: 'Arrêter',
  stopNamed: (name) => `Arrêter ${name}`,
  resume: 'Reprendre',
  resumeNamed: (name) => `Reprendre ${name}`,
  isStopped: 'Arrêté',
  toldAssistantStopped: (name) =>
    `${name} est arrêté. Ses messages attendent, et ses campagnes sont en pause.`,
  toldAssistantResumed: (name) => `${name} peut de nouveau agir`,
  lastDay: 'Ces dernières 24 heures',
  nothing: 'Rien.',
  onlyLatest: 'Le trafic était tel que seul le plus récent est compté.',
  times: (count) => `${count}×`,
  done: {
    'campaign.save': 'Campagnes enregistrées',
    'contact.created': 'Contacts ajoutés',
    'contact.updated': 'Contacts modifiés',
    'form.save': 'Formulaires enregistrés',
    'segment.save': 'Segments enregistrés',
    'sequence.save': 'Automatisations enregistrées',
    'template.save': 'Modèles enregistrés',
  },
  undo: {
    'campaign.pause': 'Mettre en pause',
    'campaign.unschedule': 'Déprogrammer',
    'import.cancel': 'Annuler',
    'import.undo': 'Annuler l’import',
    'message.cancel': 'Annuler',
    'proposal.cancel': 'Annuler',
    'removal.cancel': 'Annuler',
    'sequence.pause': 'Mettre en pause',
    'sequence.stop': 'Arrêter',
    'webhook.delete': 'Supprimer',
  },
  toldUndone: 'C’est fait',
}

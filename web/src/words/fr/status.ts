import type { status as english } from '../en/status.ts'

export const status: typeof english = {
  title: 'État',
  works: 'Crier fonctionne',
  worksText: 'Les appels sont acceptés et les messages sont envoyés.',
  fails: 'Crier a un problème',
  failsText: 'Les appels et les messages acceptés sont enregistrés et seront traités.',
  notOperator:
    'Seul l’opérateur voit les files, les nœuds et les sauvegardes : la personne dont l’adresse reçoit les alertes de ce service.',
  wrong: (count) => (count === 1 ? '1 problème à traiter' : `${count} problèmes à traiter`),
  nothingWrong: 'Aucun problème',
  checked: (count) => (count === 1 ? '1 vérification réussie' : `${count} vérifications réussies`),
  queues: 'Files',
  queuesText: 'Depuis combien de temps attend la plus ancienne tâche échue de chaque type.',
  noQueue: 'Aucune tâche en attente.',
  waits: (time) => `en attente depuis ${time}`,
  dead: (count) => `${count} en échec`,
  fillings: 'Tables en cours de remplissage',
  fillingsText:
    'Une nouvelle version modifie ces tables peu à peu, pendant que le service fonctionne.',
  filled: (percent) => `${percent} % terminés`,
  day: 'Les dernières 24 heures',
  dayText: 'Chaque barre représente dix minutes ; la dernière, les dix minutes en cours.',
  work: {
    calls: 'Appels',
    calls_failed: 'Appels en erreur serveur',
    mails: 'E-mails envoyés',
    texts: 'SMS envoyés',
    messages_deferred: 'Messages différés par le serveur de messagerie',
    messages_failed: 'Messages en échec',
    webhooks: 'Webhooks livrés',
    webhooks_failed: 'Livraisons de webhooks en échec',
  },
  total: (name, count) => `${name} par dix minutes, ${count} au total`,
  nodes: 'Nœuds',
  node: 'Machine',
  role: 'Rôle',
  roles: { api: 'API', worker: 'worker', all: 'API et worker' },
  since: 'En marche depuis',
  seen: 'Vu pour la dernière fois',
  alive: 'en marche',
  gone: 'ne répond pas',
  storage: 'Sauvegardes et disque',
  backup: 'Dernière sauvegarde',
  noBackup: 'Aucune sauvegarde complète pour l’instant',
  notMade: 'Pas de sauvegarde automatique',
  old: (time) => `date de ${time}`,
  disk: 'Espace disque libre',
  sending: 'Envoi',
  sends: 'en marche',
  paused: 'arrêté après une restauration, jusqu’à ce que vous le relanciez',
  checks: {
    queue: {
      name: 'File d’attente',
      mend: 'Vérifiez qu’un worker tourne, et lisez son journal. crier doctor montre ce qu’il n’atteint pas.',
    },
    dead: {
      name: 'Tâches en échec',
      mend: 'crier jobs list montre les erreurs. Une fois corrigées, relancez les tâches avec crier jobs release TYPE.',
    },
    backup: {
      name: 'Sauvegarde',
      mend: 'Exécutez crier backup ; la sortie montre ce qui manque. Sans BACKUP_TO, il n’y a pas de sauvegarde automatique.',
    },
    archive: {
      name: 'Archivage',
      mend: 'Vérifiez que BACKUP_TO est joignable, et lisez le journal. D’ici là, seul un état plus ancien peut être restauré.',
    },
    disk: {
      name: 'Disque',
      mend: 'Libérez de l’espace. Quand le disque est plein, la base de données s’arrête, et tout le reste avec elle.',
    },
    workers: {
      name: 'Workers',
      mend: 'Démarrez-en un avec crier serve --role worker.',
    },
    sending: {
      name: 'Envoi',
      mend: 'Vérifiez les données restaurées, puis exécutez crier sending start.',
    },
    relay: { name: 'Serveur de messagerie', mend: 'Lisez le journal du serveur de messagerie.' },
    clock: {
      name: 'Horloge',
      mend: 'Synchronisez toutes les horloges par NTP : timedatectl set-ntp true.',
    },
    'clock jump': {
      name: 'Saut de l’horloge',
      mend: 'Synchronisez l’horloge par NTP : timedatectl set-ntp true. Si elle est juste maintenant, redémarrez-y le service.',
    },
    durability: {
      name: 'Durabilité',
      mend: 'Activez fsync, full_page_writes et synchronous_commit dans postgresql.conf, et rechargez la configuration.',
    },
    addresses: {
      name: 'Adresses des nœuds',
      mend: 'Donnez à tous les nœuds les mêmes BASE_URL, APP_URL et GATEWAY_URL.',
    },
    'public names': {
      name: 'Noms publics',
      mend: 'Créez un enregistrement A ou AAAA qui mène à cette machine ou à son proxy.',
    },
    files: {
      name: 'Stockage des fichiers',
      mend: 'Vérifiez STORAGE_URL, AWS_REGION, AWS_ENDPOINT_URL_S3 et la clé d’accès.',
    },
    bounces: {
      name: 'E-mails rejetés',
      mend: 'Créez un enregistrement MX qui mène, par le port 25, à BOUNCE_PORT.',
    },
  },
}

import type { help as english } from '../en/help.ts'

export const help: typeof english = {
  title: 'Aide sur cette page',
  guide: 'Lire le guide (en anglais)',
  ownPage: 'Ouvrir dans sa propre page',
  /** Subjects that are no page of the menu. */
  subjects: { import: 'Importer des contacts' },
  pages: {
    home: 'Ce qui vous attend, ce qui est en cours d’envoi et la suite. Une nouvelle entreprise commence par sa configuration : nom et adresse postale, domaine d’envoi, premiers contacts.',
    contacts:
      'Tous vos contacts, avec leur consentement. Seules les personnes qui l’ont accepté reçoivent du marketing : le consentement prouve quand et comment. Celles qui se désinscrivent, ne sont plus joignables ou se plaignent ne reçoivent plus rien, et la liste l’indique.',
    import:
      'Envoyez un fichier CSV d’un tableur ou d’un autre outil. Vous voyez d’abord ce que devient chaque colonne, et une importation peut être annulée.',
    segments:
      'Un segment est un groupe défini par des conditions, par exemple les clients de Lyon qui n’ont rien ouvert depuis 60 jours. Ce n’est pas une liste figée : toute personne qui remplit les conditions en fait partie.',
    topics:
      'On peut s’abonner à chaque thème séparément, par exemple aux actualités et aux offres. Une personne qui quitte un thème reçoit toujours les autres.',
    suppressions:
      'Les adresses qui ne reçoivent rien, chacune avec la raison. Vous pouvez lever un blocage, sauf si la personne l’a demandé.',
    forms:
      'Un formulaire recueille des contacts sur votre site, par lien ou par QR code. Avec un champ de consentement, les personnes confirment par e-mail avant de recevoir du marketing. Sans ce champ, le formulaire n’abonne personne.',
    campaigns:
      'Une campagne est un message envoyé à beaucoup de personnes : choisissez les destinataires, rédigez-la, vérifiez-la et fixez la date d’envoi. Vous pouvez la mettre en pause pendant l’envoi. Personne ne la reçoit deux fois.',
    automations:
      'Une automatisation écrit à chaque personne au bon moment, par exemple pour l’accueillir après l’inscription. Partez d’une automatisation prête, complétez ses e-mails, regardez l’aperçu et démarrez-la.',
    messages:
      'Chaque e-mail et chaque SMS, avec ce qui lui est arrivé : accepté, distribué, ouvert, ou refusé et pourquoi.',
    replies:
      'Ce que les personnes répondent par SMS. STOP et les mots semblables les désinscrivent aussitôt.',
    templates:
      'Un modèle est un e-mail à réutiliser, par vous ou par vos programmes. Les modifications créent une nouvelle version ; ce qui a été envoyé ne change pas.',
    reports:
      'L’évolution de votre liste et les résultats des campagnes. Les ouvertures par des robots sont comptées à part, et ce qui ne peut pas être mesuré est signalé.',
    settings:
      'Nom, expéditeur et adresse postale de votre entreprise. La loi exige l’adresse postale dans les e-mails marketing : elle figure au bas de chacun.',
    brand:
      'Logo, couleurs et police des e-mails, formulaires et pages. Un changement apparaît tout de suite dans les brouillons ; ce qui est en cours d’envoi ne change pas.',
    domains:
      'Pour envoyer depuis votre domaine, ajoutez des enregistrements DNS chez son fournisseur. DKIM signe vos e-mails : les messageries savent qu’ils viennent de vous. Sans lui, beaucoup finissent dans les spams.',
    members:
      'Vos collègues et leurs droits : les lecteurs consultent, les éditeurs écrivent, les approbateurs approuvent, les administrateurs gèrent, les propriétaires peuvent tout faire.',
    connections:
      'Les applications et assistants qui travaillent pour vous ici. Vous choisissez ce qu’ils voient et peuvent faire, et pouvez mettre fin à chaque connexion.',
    keys: 'Avec une clé API, vos programmes envoient des e-mails et lisent des données. Elle n’est affichée qu’une fois : gardez-la secrète et révoquez-la si d’autres l’ont vue.',
    webhooks:
      'Un webhook prévient vos autres systèmes de ce qui se passe ici, par exemple d’un nouveau contact. Les envois en échec sont répétés.',
    usage: 'Ce que vous avez utilisé de votre formule ce mois-ci.',
    audit: 'Qui a modifié quoi et quand : personnes, programmes et assistants.',
    sessions: 'Où vous êtes connecté. Terminez une session que vous ne connaissez pas.',
    status: 'Si le service fonctionne comme il faut.',
    operator:
      'Pour l’exploitation de ce service : entreprises, formules, tâches en échec et e-mails en attente.',
  },
}

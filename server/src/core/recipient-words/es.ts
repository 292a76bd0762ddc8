import type { RecipientWords } from './words.ts'

export const spanish: RecipientWords = {
  form: {
    submit: 'Enviar',
    required: 'obligatorio',
    choose: 'Elige una opción',
    yes: 'Sí',
    no: 'No',
    problems: 'Revisa tus respuestas',
    missing: 'Rellena este campo.',
    email: 'Escribe una dirección de correo, por ejemplo ana@example.com.',
    phone: 'Escribe un teléfono con el prefijo del país, por ejemplo +34 915 85 85 85.',
    number: 'Escribe un número, por ejemplo 12 o 3.5.',
    date: 'Escribe una fecha que exista.',
    url: 'Escribe una dirección que empiece por https://.',
    choice: 'Elige de la lista.',
    tooLong: 'El texto es demasiado largo.',
    consentNeeded: 'Marca esta casilla para continuar.',
    thanksTitle: 'Gracias',
    thanksText: 'Hemos recibido tus respuestas. Puedes cerrar esta página.',
    confirmTitle: 'Un paso más: mira tu correo',
    confirmText: 'Abre el correo que te enviamos y confirma con el botón que contiene.',
    closedTitle: 'Este formulario está cerrado',
    closedText: 'Por ahora no acepta respuestas.',
    expired:
      'Esta página ha estado abierta demasiado tiempo. Tus respuestas siguen aquí: envíalas otra vez.',
    tooMany: 'Han llegado demasiadas respuestas de tu red. Espera un minuto y envíalas otra vez.',
    tryAgain: 'No se han podido guardar tus respuestas. Siguen aquí: envíalas otra vez.',
    wait: 'Un momento, por favor…',
    sendHere:
      'Rellena el formulario aquí: varios programas han abusado de él y solo aceptamos respuestas desde esta página.',
    leaveEmpty: 'Deja este campo vacío',
    close: 'Cerrar',
    responsible: 'Responsable de tus datos',
    privacy: 'Política de privacidad',
  },
  preferences: {
    title: (business) => `Mensajes de ${business}`,
    unsubscribed:
      'Hecho: no recibirás más envíos por correo. Los que estaban a punto de salir se han detenido.',
    leftTopic: (topic) =>
      `Hecho: no recibirás más envíos sobre ${topic}. Los demás que elegiste seguirán llegando.`,
    saved: 'Tu elección está guardada.',
    askUnsubscribe: 'Pulsa el botón para no recibir más envíos por correo.',
    unsubscribe: 'Darme de baja',
    leaveTopic: (topic) => `Darme de baja de ${topic}`,
    leaveAll: 'Darme de baja de todo',
    legend: 'Lo que recibes',
    save: 'Guardar mi elección',
    stillSent: 'Seguirás recibiendo mensajes sobre tus pedidos y consultas.',
    emailChoice: (business) => `Quiero recibir novedades y ofertas de ${business} por correo.`,
    smsChoice: (business) => `Quiero recibir novedades y ofertas de ${business} por SMS.`,
    trackingLegend: 'Qué se registra',
    trackingChoice: (business) =>
      `${business} puede registrar si abro sus correos y qué enlaces sigo.`,
    topics: 'Temas',
    often: '¿Con qué frecuencia?',
    oftens: {
      all: 'Siempre que haya algo',
      weekly: 'Como máximo un mensaje a la semana',
      digest: 'Solo el resumen periódico',
      pause: 'Ninguno durante 30 días',
    },
    topicChoice: (topic, business) => `Quiero recibir ${topic} de ${business}.`,
    emailTo: (hint) => `Correo a ${hint}`,
    smsTo: (hint) => `SMS al ${hint}`,
    goneTitle: 'No se te envía nada',
    goneText: (business) =>
      `${business ?? 'El remitente'} ya no tiene tu dirección, así que no queda nada de lo que darse de baja. Puedes cerrar esta página.`,
    returnText:
      'Si te siguen llegando mensajes, usa el enlace del más reciente. ¿Quieres recibirlos de nuevo? Escribe tu dirección de correo: te enviaremos un correo con un botón para confirmarlo.',
    returnLabel: 'Dirección de correo',
    returnButton: 'Enviarme el correo',
    returnAsked:
      'Si aquí se habían detenido los mensajes a esta dirección, un correo va en camino. Pulsa su botón para volver a recibirlos; hasta entonces nada cambia.',
    tooManyTitle: 'Demasiados cambios',
    tooManyText:
      'Has cambiado tu elección muchas veces. Espera una hora antes de pedir más mensajes. Puedes dejar de recibirlos cuando quieras.',
  },
  confirmation: {
    subject: (business) => `Confirma, por favor: mensajes de ${business}`,
    text: (business) =>
      `Alguien, seguramente tú, ha pedido a ${business} que escriba a esta dirección. Pulsa el botón para confirmarlo.`,
    button: 'Confirmar',
    ignore: 'Si no has sido tú, no hagas nada: sin tu confirmación no recibirás ningún envío.',
    pageText: (business) => `Pulsa el botón para recibir mensajes de ${business}.`,
    doneTitle: 'Confirmado',
    doneText: (business) => `Recibirás mensajes de ${business}. Puedes cerrar esta página.`,
    expiredTitle: 'Este enlace ha caducado',
    expiredText: 'Rellena el formulario otra vez para recibir uno nuevo.',
  },
  mail: { preferences: 'Darse de baja o elegir lo que recibes' },
  view: {
    link: 'Ver en el navegador',
    goneTitle: 'Este correo ya no se puede mostrar',
    goneText: 'Su contenido ya no se conserva. Puedes seguir leyéndolo en tu buzón.',
  },
  // No letters that GSM 03.38 lacks: with one of them, a text holds only 70 characters.
  sms: {
    stopped: (business) =>
      `${business}: No recibiras mas SMS de este numero. Responde START para volver a recibirlos.`,
    started: (business) =>
      `${business}: Vuelves a recibir nuestros SMS. Responde HELP para ayuda, STOP para terminar.`,
    help: (business, contact) =>
      `${business}: ${contact}Responde STOP para no recibir mas SMS de este numero.`,
    writeTo: (address) => `Escribe a ${address}`,
  },
  archive: {
    title: (business) => `Correos de ${business}`,
    empty: 'Aquí todavía no hay ningún correo.',
    older: 'Correos anteriores',
    newest: 'Correos más recientes',
    feed: 'Canal RSS',
    all: (business) => `Todos los correos de ${business}`,
    subscribe: 'Suscribirse',
    personalTitle: 'Este enlace es personal',
    personalText:
      'Solo funciona en el correo que recibió su destinatario. Abre ese correo para darte de baja o elegir lo que recibes.',
  },
  errors: {
    linkTitle: 'Este enlace no funciona',
    linkText:
      'Puede que se haya cortado al copiarlo. Abre de nuevo el mensaje y sigue allí el enlace. Si también lleva aquí, responde al mensaje y avisa a quien lo envió. No se ha cambiado nada.',
    pageTitle: 'Página no encontrada',
    pageText: 'No hay ninguna página en esta dirección.',
    busyTitle: 'Demasiadas solicitudes',
    busyText:
      'Se han abierto demasiadas páginas desde tu red. Espera un minuto e inténtalo de nuevo.',
    failedTitle: 'Algo ha fallado por nuestra parte',
    failedText: 'Inténtalo de nuevo dentro de un momento.',
  },
  sentWith: 'Enviado con Crier',
  skipToPage: 'Ir al contenido',
}

import { createHash } from 'node:crypto';

/** Where the page's script lies. */
export const SCRIPTS_PATH = '/public/scripts';

/** Lets a signature be drawn. Without it the name is the signature, as with the keyboard. */
export const SIGNATURE_SCRIPT = `(() => {
  const form = document.querySelector('form[data-signature]');
  if (!form) return;
  const canvas = form.querySelector('canvas');
  const pen = canvas.getContext('2d');
  const choice = form.querySelector('[data-choice]');
  const pad = form.querySelector('[data-pad]');
  const missing = form.querySelector('[data-missing]');
  const field = form.elements.namedItem('drawing');
  let last = null;
  let hasInk = false;
  const isDrawn = () => new FormData(form).get('signature') === 'drawn';
  const show = () => { pad.hidden = !isDrawn(); };
  const place = ({ clientX, clientY }) => {
    const box = canvas.getBoundingClientRect();
    return [(clientX - box.left) * canvas.width / box.width, (clientY - box.top) * canvas.height / box.height];
  };
  const line = (to) => {
    pen.beginPath();
    pen.moveTo(...last);
    pen.lineTo(...to);
    pen.stroke();
    last = to;
    hasInk = true;
  };
  pen.lineWidth = 5;
  pen.lineCap = pen.lineJoin = 'round';
  pen.strokeStyle = '#121a29';
  canvas.addEventListener('pointerdown', (event) => {
    if (!event.isPrimary || event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    last = place(event);
    line(last);
    missing.hidden = true;
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!last || !event.isPrimary) return;
    for (const moved of event.getCoalescedEvents?.() ?? []) line(place(moved));
    line(place(event));
  });
  for (const end of ['pointerup', 'pointercancel']) canvas.addEventListener(end, () => { last = null; });
  form.querySelector('[data-clear]').addEventListener('click', () => {
    pen.clearRect(0, 0, canvas.width, canvas.height);
    hasInk = false;
  });
  form.addEventListener('change', show);
  form.addEventListener('submit', (event) => {
    if (event.submitter?.value === 'choose') return;
    if (isDrawn() && !hasInk) {
      event.preventDefault();
      missing.hidden = false;
      canvas.scrollIntoView({ block: 'center' });
    }
    field.value = isDrawn() && hasInk ? canvas.toDataURL('image/png') : '';
  });
  choice.hidden = false;
  show();
})();
`;

/** Its address changes with it, so that browsers may keep it. */
export const SIGNATURE_SCRIPT_NAME = `signature-${createHash('sha256').update(SIGNATURE_SCRIPT).digest('hex').slice(0, 16)}.js`;

const pad = (n) => String(n).padStart(2, '0');

/** First day `start + n × months` on or after `from`, clipped to the month's end, never drifting (days as YYYY-MM-DD). */
export function nextAnchor(start, months, from) {
  const [year, month, day] = start.split('-').map(Number);
  for (let n = 0; ; n += months) {
    const index = year * 12 + (month - 1) + n;
    const lastDay = new Date(Date.UTC(Math.floor(index / 12), (index % 12) + 1, 0)).getUTCDate();
    const text = `${Math.floor(index / 12)}-${pad((index % 12) + 1)}-${pad(Math.min(day, lastDay))}`;
    if (text >= from) return text;
  }
}

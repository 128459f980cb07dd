"""Sound (python_speech_features, mir_eval)."""

import numpy as np

from tests.wild.survey import Survey

T = np.arange(400.0)
SIGNAL = np.sin(0.3 * T) + 0.4 * np.cos(0.11 * T + 0.2) + 0.01 * T % 0.7
FRAMES = SIGNAL[:60].reshape(4, 15)
SPEECH = dict(
    number=0.7,
    sig=SIGNAL[:60],
    signal=SIGNAL[:60],
    frame_len=15,
    frame_step=7,
    frames=FRAMES,
    siglen=30,
    NFFT=16,
    hz=440.0,
    mel=550.0,
    cepstra=FRAMES,
    feat=FRAMES,
    N=2,
)
LONG = dict(signal=SIGNAL, samplerate=1000.0)

SURVEYS = (
    Survey("python_speech_features", "python_speech_features.sigproc", SPEECH),
    Survey(
        "python_speech_features",
        "python_speech_features.base",
        SPEECH,
        exact=dict(mfcc=LONG, fbank=LONG, logfbank=LONG, ssc=LONG),
    ),
    Survey(
        "mir_eval",
        "mir_eval.util",
        dict(
            precision=0.7,
            recall=0.6,
            intervals=np.array([[0.0, 0.8], [0.8, 1.7], [1.7, 2.6]]),
            freqs=np.array([220.0, 440.0]),
            midi=np.array([57.0, 69.5]),
            boundaries=np.array([0.0, 0.8, 1.7, 2.6]),
            events=np.array([0.1, 0.7, 1.9]),
            frequencies=np.array([220.0, 440.0]),
            ref=np.array([0.1, 0.7, 1.9]),
            est=np.array([0.12, 0.75, 1.8]),
            window=0.05,
        ),
    ),
    Survey(
        "mir_eval",
        "mir_eval.melody",
        dict(
            ref_voicing=np.array([1.0, 0.8, 0.0, 0.6]),
            est_voicing=np.array([0.9, 0.0, 0.2, 0.7]),
            ref_cent=np.array([5000.0, 5120.0, 5060.0, 4990.0]),
            est_cent=np.array([5010.0, 5090.0, 5300.0, 4985.0]),
            freq_hz=np.array([220.0, 440.0, 331.0]),
            frequencies=np.array([220.0, 440.0, 331.0]),
            hop=0.1,
            end_time=0.75,
        ),
    ),
)

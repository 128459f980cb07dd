import numba
import numpy as np


@numba.njit(cache=True, error_model="numpy")
def grad_observation(cam, p, seen, d_out=1.0):
    """Gradient of observation with respect to cam and p."""
    # Forward
    theta = np.sqrt(cam[0] ** 2 + cam[1] ** 2 + cam[2] ** 2)
    k = np.empty(3)
    for i in range(3):
        k[i] = cam[i] / theta
    kp = np.empty(3)
    kp[0] = k[1] * p[2] - k[2] * p[1]
    kp[1] = k[2] * p[0] - k[0] * p[2]
    kp[2] = k[0] * p[1] - k[1] * p[0]
    c = np.cos(theta)
    s = np.sin(theta)
    k_p = k[0] * p[0] + k[1] * p[1] + k[2] * p[2]
    q = np.empty(3)
    for i in range(3):
        q[i] = c * p[i] + s * kp[i] + (1 - c) * k_p * k[i] + cam[3 + i]
    u = q[0] / q[2]
    v = q[1] / q[2]
    r2 = u * u + v * v
    scale = cam[6] * (1 + cam[7] * r2)

    d_cam = np.zeros_like(cam)
    # (scale * u - seen[0]) ** 2 + (scale * v - seen[1]) ** 2
    d_uu = 2 * d_out * (scale * u - seen[0])
    d_vv = 2 * d_out * (scale * v - seen[1])
    # scale = cam[6] * (1 + cam[7] * r2)
    d_scale = d_uu * u + d_vv * v
    d_cam[6] = d_scale * (1 + cam[7] * r2)
    d_cam[7] = d_scale * cam[6] * r2
    d_r2 = d_scale * cam[6] * cam[7]
    # r2 = u * u + v * v
    d_u = d_uu * scale + 2 * d_r2 * u
    d_v = d_vv * scale + 2 * d_r2 * v
    # u = q[0] / q[2], v = q[1] / q[2]
    d_q = np.empty(3)
    d_q[0] = d_u / q[2]
    d_q[1] = d_v / q[2]
    d_q[2] = -(d_u * u + d_v * v) / q[2]
    # q = c * p + s * kp + (1 - c) * np.sum(k * p) * k + cam[3:6]
    d_p = np.empty_like(p)
    d_k = np.empty(3)
    d_kp = np.empty(3)
    d_c = 0.0
    d_s = 0.0
    d_k_p = 0.0
    for i in range(3):
        d_cam[3 + i] = d_q[i]
        d_c += d_q[i] * (p[i] - k_p * k[i])
        d_s += d_q[i] * kp[i]
        d_k_p += d_q[i] * (1 - c) * k[i]
        d_k[i] = d_q[i] * (1 - c) * k_p
        d_kp[i] = d_q[i] * s
    for i in range(3):
        d_p[i] = c * d_q[i] + d_k_p * k[i]
        d_k[i] += d_k_p * p[i]
    # kp = np.array(...)
    for i in range(3):
        j = (i + 1) % 3
        l = (i + 2) % 3
        d_p[i] += d_kp[j] * k[l] - d_kp[l] * k[j]
        d_k[i] += d_kp[l] * p[j] - d_kp[j] * p[l]
    # k = cam[:3] / theta
    d_theta = d_s * c - d_c * s
    for i in range(3):
        d_theta -= d_k[i] * k[i] / theta
    for i in range(3):
        d_cam[i] = d_k[i] / theta + d_theta * k[i]
    return d_cam, d_p
